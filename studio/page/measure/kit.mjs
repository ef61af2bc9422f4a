// What measurements share: a studio in Debian's Chromium, heaps of bodies, and the processor time of
// each process, which says what a picture costs even where other programs run beside.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
export const tenon = process.env.TENON ?? join(root, 'build/release/bin/tenon');
const flags = ['--no-sandbox', '--disable-dev-shm-usage', '--use-gl=angle', '--use-angle=gl-egl', '--ignore-gpu-blocklist', '--enable-unsafe-swiftshader'];

export async function startStudio(...more) {
  const server = spawn(tenon, ['studio', '--no-browser', '--port', '0', ...more]);
  const address = await new Promise((resolve, reject) => {
    server.stdout.on('data', (data) => /http:\S+/.test(data) && resolve(/http:\S+/.exec(String(data))[0]));
    server.on('exit', (code) => reject(new Error(`tenon studio ended with ${code}`)));
  });
  const launched = await chromium.launchServer({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags });
  const browser = await chromium.connect(launched.wsEndpoint());
  const stop = async () => {
    await launched.close();
    server.kill();
  };
  return { address, browser, stop, engine: server.pid, chromium: launched.process().pid };
}
// In the page: `felt` gets the time from each movement of a hand that is sent to the engine to the
// picture of the first state that the engine computed with it.
function watchHand() {
  window.felt = [];
  let sent = null;
  let answered = null;
  window.WebSocket = class extends WebSocket {
    constructor(...args) {
      super(...args);
      this.addEventListener('message', ({ data }) => {
        if (typeof data === 'string') {
          if (sent && JSON.parse(data).id === sent.id) [answered, sent] = [sent, null];
        } else if (answered) {
          const { at } = answered;
          answered = null;
          window.studio.afterPicture(() => window.felt.push(performance.now() - at));
        }
      });
    }
    send(data) {
      if (!sent && !answered && data.includes('"do":"grab_move"')) sent = { id: JSON.parse(data).id, at: performance.now() };
      super.send(data);
    }
  };
}
export async function openPage(studio, options = {}) {
  const page = await studio.browser.newPage({ viewport: { width: 1440, height: 900 }, ...options });
  await page.addInitScript(() => localStorage.setItem('tenon.hinted', '1')); // no hints, nothing that moves by itself
  await page.addInitScript(watchHand);
  await page.goto(studio.address);
  await page.waitForSelector('body[data-ready=true]', { state: 'attached' });
  return page;
}

// Half boxes and half spheres of four materials, above each other: a heap once they have fallen.
export function heap(count) {
  const side = Math.ceil(Math.cbrt(count));
  const materials = ['wood', 'iron', 'rubber', 'plastic'];
  const bodies = Array.from({ length: count }, (_, i) => ({
    name: `body ${i}`,
    shape: i % 2 ? { type: 'box', size: [0.2, 0.2, 0.2] } : { type: 'sphere', radius: 0.11 },
    material: materials[i % 4],
    position: [0.3 * ((i % side) - side / 2), 0.2 + 0.35 * Math.floor(i / side / side), 0.3 * ((Math.floor(i / side) % side) - side / 2)],
  }));
  return JSON.stringify({ tenon: 1, world: { duration: 600 }, bodies: [{ name: 'floor', shape: { type: 'plane' } }, ...bodies] });
}
export async function loadHeap(page, count) {
  await page.evaluate((text) => window.studio.request('load', { name: 'heap.json', text }), heap(count));
  await page.waitForFunction((n) => window.studio.store.scene?.bodies.length === n, count + 1);
  await page.waitForTimeout(1000);
}

// Seconds of processor time so far: of the engine, and of the browser's processes by kind.
const tick = Number(execFileSync('getconf', ['CLK_TCK']));
export function processorTime(studio) {
  const all = new Map();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /s, '').split(' ');
      all.set(Number(pid), { parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / tick, kind: /--type=([\w-]+)/.exec(readFileSync(`/proc/${pid}/cmdline`, 'latin1'))?.[1] ?? 'browser' });
    } catch {
      // ended meanwhile
    }
  }
  const out = { engine: all.get(studio.engine)?.seconds ?? 0, page: 0, graphics: 0, browser: 0 };
  for (const [pid, { seconds, kind }] of all) {
    let above = pid;
    while (above && above !== studio.chromium) above = all.get(above)?.parent;
    if (above) out[kind === 'renderer' ? 'page' : kind === 'gpu-process' ? 'graphics' : 'browser'] += seconds;
  }
  return out;
}
// What the whole machine does meanwhile: seconds of all processors that are not idle.
export function machineTime() {
  const [user, nice, system, idle, wait, irq, soft, steal] = readFileSync('/proc/stat', 'utf8').split('\n')[0].trim().split(/\s+/).slice(1).map(Number);
  return (user + nice + system + irq + soft + steal) / tick;
}
export const difference = (after, before) => Object.fromEntries(Object.keys(after).map((key) => [key, after[key] - before[key]]));
export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
