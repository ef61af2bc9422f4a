// The math of the WebAssembly module against the native program and the committed hash.
// Usage: node math_test.mjs MODULE.wasm NATIVE_PROGRAM
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { loadModule } from '../../bindings/wasm/tenon.mjs';

const [modulePath, nativePath] = process.argv.slice(2);
const math = await loadModule(readFileSync(modulePath));
const hex = (bits) => BigInt.asUintN(64, bits).toString(16).padStart(16, '0');

const steps = 20000;
const lines = execFileSync(nativePath, [String(steps)], { encoding: 'utf8' }).trim().split('\n');
assert.equal(hex(math.elementary_hash()), hex(math.elementary_golden()), 'elementary functions');
assert.deepEqual([hex(math.elementary_hash()), hex(math.rotation_hash(steps))], lines);
// the comparison is able to fail: one step less gives another hash
assert.notEqual(hex(math.rotation_hash(steps - 1)), lines[1]);
console.log(`elementary ${lines[0]}, rotation ${lines[1]}: native and WebAssembly agree`);
