// How long a picture of the studio takes with 500 bodies in four views: node measure/frames.mjs [BODIES]
// Prints milliseconds of the page's own work and of a whole picture (with the drawing waited for), and pictures per second in a run.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const server = spawn(process.env.TENON ?? join(root, 'build/release/bin/tenon'), ['studio', '--no-browser', '--port', '0']);
const address = await new Promise((resolve) => server.stdout.on('data', (data) => resolve(/http:\S+/.exec(String(data))[0])));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage', '--use-gl=angle', '--use-angle=gl-egl', '--ignore-gpu-blocklist', '--enable-unsafe-swiftshader'] });
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
await page.goto(address);
await page.waitForSelector('body[data-ready=true]', { state: 'attached' });

const count = Number(process.argv[2] ?? 500);
const side = Math.ceil(Math.cbrt(count));
const materials = ['wood', 'iron', 'rubber', 'plastic'];
const bodies = Array.from({ length: count }, (_, i) => ({
  name: `body ${i}`,
  shape: i % 2 ? { type: 'box', size: [0.2, 0.2, 0.2] } : { type: 'sphere', radius: 0.11 },
  material: materials[i % 4],
  position: [0.3 * ((i % side) - side / 2), 0.2 + 0.35 * Math.floor(i / side / side), 0.3 * ((Math.floor(i / side) % side) - side / 2)],
}));
const scene = { tenon: 1, bodies: [{ name: 'floor', shape: { type: 'plane' } }, ...bodies] };
await page.evaluate((text) => window.studio.request('load', { name: 'heap.json', text }), JSON.stringify(scene));
await page.waitForTimeout(1500);
const times = await page.evaluate(() => {
  const { stage, views } = window.studio;
  const gl = views.renderer.getContext();
  const pixel = new Uint8Array(4);
  const mean = (n, work) => {
    work();
    const began = performance.now();
    for (let i = 0; i < n; ++i) work();
    return (performance.now() - began) / n;
  };
  return {
    move: mean(50, () => stage.move()),
    picture: mean(10, () => {
      views.drawNow();
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    }),
    renderer: gl.getParameter(gl.getExtension('WEBGL_debug_renderer_info').UNMASKED_RENDERER_WEBGL),
  };
});
await page.evaluate(() => window.studio.request('play', { speed: 1 }));
await page.waitForTimeout(6000);
const status = await page.evaluate(() => document.querySelector('.facts-line').textContent);
console.log(`${count} bodies, ${times.renderer}`);
console.log(`placing them ${times.move.toFixed(2)} ms, a picture of four views ${times.picture.toFixed(0)} ms; in a run: ${/\d+ pictures\/s/.exec(status)?.[0] ?? status}`);
await browser.close();
server.kill();
