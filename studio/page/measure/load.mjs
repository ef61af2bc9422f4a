// How long the page takes to be there, and how large the static site is: node measure/load.mjs
// Loads it three times from the local server with an empty cache, prints the times until the first
// picture; then exports the site and prints what travels, compressed as web servers do.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { constants, brotliCompressSync, gzipSync } from 'node:zlib';
import { difference, median, processorTime, startStudio, tenon } from './kit.mjs';

const studio = await startStudio();
const times = [];
const before = processorTime(studio);
for (let i = 0; i < 3; ++i) {
  const context = await studio.browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const began = performance.now();
  await page.goto(studio.address);
  await page.waitForSelector('body[data-ready=true]', { state: 'attached' });
  await page.waitForFunction(() => window.studio.drawn() > 0);
  times.push(performance.now() - began);
  await context.close();
}
const cost = Object.values(difference(processorTime(studio), before)).reduce((a, b) => a + b, 0) / times.length;
await studio.stop();
console.log(`from the address to the first picture of the scene: ${times.map((t) => (t / 1000).toFixed(2)).join(', ')} s; in the middle ${(median(times) / 1000).toFixed(2)} s; processor time of each ${cost.toFixed(2)} s`);

const folder = mkdtempSync(join(tmpdir(), 'tenon-site-'));
execFileSync(tenon, ['studio', '--export', folder]);
const files = readdirSync(folder, { recursive: true }).map(String).filter((name) => statSync(join(folder, name)).isFile());
const sum = { first: [0, 0, 0], previews: [0, 0, 0] };
for (const name of files) {
  const bytes = readFileSync(join(folder, name));
  const pictures = ['.jpg', '.png', '.webp'].includes(extname(name)); // compressed already
  const gzip = pictures ? bytes.length : gzipSync(bytes, { level: 9 }).length;
  const brotli = pictures ? bytes.length : brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length;
  const into = sum[name.startsWith('previews') ? 'previews' : 'first'];
  [bytes.length, gzip, brotli].forEach((n, i) => (into[i] += n));
  if (gzip > 100_000) console.log(`  ${name}: ${(bytes.length / 1e6).toFixed(2)} MB, gzip ${(gzip / 1e6).toFixed(2)} MB`);
}
rmSync(folder, { recursive: true });
const told = ([plain, gzip, brotli]) => `${(plain / 1e6).toFixed(2)} MB, gzip ${(gzip / 1e6).toFixed(2)} MB, brotli ${(brotli / 1e6).toFixed(2)} MB`;
console.log(`static site: ${told(sum.first)}; pictures of the gallery, fetched when it is opened: ${(sum.previews[0] / 1e6).toFixed(2)} MB`);
const whole = (sum.first[1] + sum.previews[1]) / 1e6;
console.log(`all of it, gzip: ${whole.toFixed(2)} MB`);
