// Steps every scene natively with two compilers and in WebAssembly, and compares the state after
// each step. Usage: node state_test.mjs MODULE.wasm STEPS PROGRAM[,PROGRAM...] FOLDER...
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { createWorld, loadModule } from '../../bindings/wasm/tenon.mjs';

const [modulePath, stepsText, programs, ...folders] = process.argv.slice(2);
const mostSteps = Number(stepsText);
// scenes of thousands of bodies, or of meshes, take fewer steps, so that the test stays within minutes
const stepsFor = (bodies, meshes) =>
  meshes ? Math.min(mostSteps, 5) : Math.min(mostSteps, Math.max(10, Math.floor(60000 / bodies)));
const hex = (bits) => BigInt.asUintN(64, bits).toString(16).padStart(16, '0');

const scenes = folders
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((path) => path.endsWith('.json'))
  .sort();
assert.ok(scenes.length > 0, 'no scenes found');

// The hash of engine/base/hash.h, for seven doubles.
const mask = (1n << 64n) - 1n;
function mix(z) {
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
  return z ^ (z >> 31n);
}
function hashOf(numbers) {
  const words = new BigUint64Array(new Float64Array(numbers).buffer);
  let state = 0x74656e6f6en;
  for (const word of words) {
    state = mix(state ^ ((word + 0x9e3779b97f4a7c15n + (state << 6n) + (state >> 2n)) & mask));
  }
  return hex(state);
}

function traceInModule(tenon, path) {
  const name = basename(path);
  // a quarter of the triangles, as in state_hash
  const text = readFileSync(path, 'utf8').replace('"fine": 1', '"fine": 0.5');
  let world;
  try {
    world = createWorld(tenon, text, name);
  } catch (error) {
    return { steps: 0, lines: [`refused ${name}`, ...error.message.trimEnd().split('\n')] };
  }
  const steps = stepsFor(world.bodyCount, text.includes('"type": "mesh"'));
  const lines = [`scene ${name} ${world.bodyCount}`, hex(world.stateHash)];
  for (let i = 0; i < steps; ++i) {
    world.step();
    lines.push(hex(world.stateHash));
  }
  assert.equal(world.stepCount, steps);
  assert.equal(world.bodyNames.length, world.bodyCount);
  const poses = world.poses;
  for (let i = 0; i < world.bodyCount; ++i) lines.push(hashOf(poses.subarray(7 * i, 7 * i + 7)));
  world.dispose();
  assert.equal(world.bodyCount, 0, 'a disposed world is gone');
  return { steps, lines };
}

const tenon = await loadModule(readFileSync(modulePath));
let accepted = 0;
let failures = 0;
for (const path of scenes) {
  const { steps, lines: wasm } = traceInModule(tenon, path);
  if (wasm[0].startsWith('scene')) {
    ++accepted;
    // a world that does not move would agree with everything
    assert.notEqual(wasm[1], wasm[1 + steps], `${path} does not change`);
  }
  for (const program of programs.split(',')) {
    const native = execFileSync(program, [String(steps), path], { encoding: 'utf8', maxBuffer: 1 << 28 })
      .trimEnd()
      .split('\n');
    const at = wasm.findIndex((line, i) => line !== native[i]);
    if (at < 0 && wasm.length === native.length) continue;
    ++failures;
    const where = at < 0 ? Math.min(wasm.length, native.length) : at;
    const step = where >= 1 && where <= steps + 1 ? `step ${where - 1}` : `line ${where}`;
    console.error(`${path}: ${step}: WebAssembly ${wasm[where]}, ${program} ${native[where]}`);
  }
  console.log(`${basename(path)}: ${wasm[0].split(' ')[0]} ${wasm[1 + steps] ?? wasm[1]}`);
}
assert.ok(accepted > 0, 'no scene was accepted');
assert.equal(failures, 0, `${failures} comparisons differ`);
console.log(`${accepted} scenes of ${scenes.length} stepped up to ${mostSteps} times, same bits`);
