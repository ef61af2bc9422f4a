// Whether a scene of 5 000 bodies can still be edited: node measure/large.mjs [BODIES]
// Prints how long it takes to open it, to select a body by a click and in the tree, to filter the
// tree, to drag a body, and until the next picture is there.
import { loadHeap, openPage, startStudio } from './kit.mjs';

const count = Number(process.argv[2] ?? 5000);
const studio = await startStudio();
const page = await openPage(studio);
page.setDefaultTimeout(120_000);
const timed = async (what, work) => {
  const began = performance.now();
  await work();
  await page.evaluate(() => new Promise((done) => (window.studio.afterPicture(done), window.studio.views.redraw())));
  console.log(`${what}: ${(performance.now() - began).toFixed(0)} ms`);
};
const selected = (name) => page.waitForFunction((n) => window.studio.store.selection.includes(n), name);
const place = (name) => page.evaluate((n) => window.studio.store.pose(n).slice(0, 3), name);
console.log(`${count} bodies`);
await timed('open', () => loadHeap(page, count));
const rows = await page.locator('.tree .row').count();
await timed('filter the tree', () => page.locator('.outliner input').fill(`body ${count - 1}`));
await timed('select in the tree', async () => {
  await page.locator('.tree .row').first().click();
  await selected(`body ${count - 1}`);
});
await page.locator('.outliner input').fill('');
const last = `body ${count - 1}`;
const at = await page.evaluate(([n]) => window.studio.pixel(0, ...window.studio.store.pose(n).slice(0, 3)), [last]);
await page.evaluate(() => window.studio.store.select([]));
await timed('select by a click', async () => {
  await page.mouse.click(...at);
  await page.waitForFunction(() => window.studio.store.selection.length === 1);
});
const name = await page.evaluate(() => window.studio.store.selection[0]);
const before = await place(name);
await timed('move it by a key (an edit of the scene)', async () => {
  await page.keyboard.press('Control+PageUp');
  await page.waitForFunction(([n, y]) => window.studio.store.pose(n)[1] > y + 1e-6, [name, before[1]]);
});
await timed('undo', async () => {
  await page.keyboard.press('Control+z');
  await page.waitForFunction(([n, y]) => window.studio.store.pose(n)[1] < y + 1e-6, [name, before[1]]);
});
await timed('one step', () => page.evaluate(() => window.studio.request('step', { count: 1 })));
console.log(`rows in the page: ${rows} of ${count + 1}`);
await studio.stop();
