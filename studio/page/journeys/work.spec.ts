// Nobody's work is lost or changed behind their back: tabs, files, notes, keys.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, expect, pixel, pose, seen, startServer, state, store, test, visit } from './kit';

const ball = (title: string, y = 1) => JSON.stringify({ tenon: 1, title, bodies: [{ name: 'floor', shape: { type: 'plane' } }, { name: 'ball', shape: { type: 'sphere', radius: 0.1 }, position: [0, y, 0] }] });
const moveBall = (x: number) => ({ ops: [{ op: 'set', path: ['bodies', 'ball', 'position'], value: [x, 1, 0] }], label: 'moved' });

test('work on one scene outlives work on another one, and a second tab', async ({ page, transport, complaints }) => {
  test.skip(transport !== 'server', 'another scene is another start of the command');
  const folder = mkdtempSync(join(tmpdir(), 'tenon-two-'));
  for (const name of ['a', 'b']) writeFileSync(join(folder, `${name}.json`), ball(name));
  const first = await startServer(folder, join(folder, 'a.json'));
  const port = new URL(first.address).port;
  const visitAgain = async (address: string) => {
    await page.goto(address);
    await expect(page.locator('body[data-ready=true]')).toBeAttached();
  };
  await seen(page);
  await visitAgain(first.address);
  await ask(page, 'edit', moveBall(0.5));
  await page.waitForTimeout(900);
  // another tab of the same scene begins for itself, and keeps nothing over it
  const other = await page.context().newPage();
  await other.goto(first.address);
  await expect(other.locator('body[data-ready=true]')).toBeAttached();
  await expect.poll(async () => (await pose(other, 'ball'))[0]).toBe(0);
  await ask(other, 'edit', moveBall(0.7));
  await other.waitForTimeout(900);
  await other.close();
  first.process.kill('SIGKILL');
  const second = await startServer(folder, join(folder, 'b.json'), '--port', port);
  await visitAgain(second.address);
  await expect.poll(async () => (await state(page)).scene_name).toBe('b.json');
  await page.waitForTimeout(900);
  second.process.kill('SIGKILL');
  const third = await startServer(folder, join(folder, 'a.json'), '--port', port);
  await visitAgain(third.address);
  await expect.poll(async () => (await pose(page, 'ball'))[0]).toBe(0.5);
  third.stop();
  rmSync(folder, { recursive: true });
  complaints.length = 0; // the browser itself complains about connections that fail
});

test('saving asks before it replaces another scene, and knows its own file', async ({ page, studio, transport }) => {
  test.skip(transport !== 'server', 'a site has no folder');
  const file = join(studio.folder, 'untitled.json');
  writeFileSync(file, ball('mine'));
  await visit(page, studio);
  await ask(page, 'load');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('File name')).toHaveValue('untitled.json');
  await page.getByLabel('File name').press('Enter');
  await expect(page.locator('dialog .problem')).toContainText('is there already');
  expect(JSON.parse(readFileSync(file, 'utf8')).title).toBe('mine');
  // by keys, as people do
  await page.keyboard.press('Control+a');
  await page.keyboard.type('another.json');
  await expect(page.getByLabel('File name')).toHaveValue('another.json');
  await page.keyboard.press('Enter');
  await expect(page.locator('.toast', { hasText: 'Saved another.json' })).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('File name')).toHaveValue('another.json');
  await page.getByLabel('File name').press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.locator('canvas.view').focus();
  await page.keyboard.press('Control+s');
  await expect(page.getByLabel('File name')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('presses are not lost, keys work after choices, clicks select while it runs, notes undo their own edit', async ({ page, studio }) => {
  await visit(page, studio);
  await ask(page, 'load', { name: 'ball.json', text: ball('keys') });
  await expect.poll(async () => (await state(page)).scene_name).toBe('ball.json');
  await page.evaluate(() => (window as any).studio.store.select(['ball']));
  await page.locator('canvas.view').focus();
  // ten presses at once: all of them, in one edit
  const before = (await pose(page, 'ball'))[0];
  for (let i = 0; i < 10; ++i) void page.keyboard.press('Control+ArrowRight');
  await page.keyboard.press('Shift');
  const once = await page.evaluate(() => (window as any).studio.snapStep());
  await expect.poll(async () => Number(((await pose(page, 'ball'))[0] - before).toFixed(4))).toBe(Number((10 * once).toFixed(4)));
  expect((await state(page)).edits).toBe(1);
  // after a choice that was made with the pointer, keys are the studio's again
  await page.getByLabel('Speed').selectOption('0.1');
  await page.getByLabel('Speed').focus();
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await state(page)).edits).toBe(0);
  // a click while it runs selects and makes no take
  await page.evaluate(() => (window as any).studio.store.select([]));
  await page.locator('canvas.view').focus();
  await page.keyboard.press('1');
  await page.keyboard.press('f');
  const takes = (await ask(page, 'project')).project.takes.length;
  await ask(page, 'play', { speed: 0.1 });
  const at = await pixel(page, 0, await pose(page, 'ball'));
  await page.mouse.click(...at);
  await expect.poll(() => store(page, 'selection')).toEqual(['ball']);
  await ask(page, 'pause');
  expect((await ask(page, 'project')).project.takes.length).toBe(takes);
  // a note goes with the edit that it is about
  await ask(page, 'step', { count: 5 });
  await expect.poll(async () => (await state(page)).step).toBeGreaterThan(0);
  await page.keyboard.press('Control+ArrowRight');
  await expect(page.locator('.toast button', { hasText: 'Undo' })).toHaveCount(1);
  await page.keyboard.press('Control+z');
  await expect(page.locator('.toast button', { hasText: 'Undo' })).toHaveCount(0);
});

test('every take can be reached, also the sixth', async ({ page, studio }) => {
  await visit(page, studio);
  await ask(page, 'load', { name: 'ball.json', text: ball('takes') });
  await ask(page, 'step', { count: 20 });
  for (let i = 1; i <= 6; ++i) {
    await ask(page, 'seek', { step: 5 });
    await ask(page, 'edit', { ops: [{ op: 'set', path: ['bodies', 'ball', 'velocity'], value: [i, 0, 0] }], label: `throw ${i}` });
    await ask(page, 'step', { count: 10 });
    await ask(page, 'take', { take: 0 });
  }
  const chips = page.locator('.takes .chip');
  await expect(chips).toHaveCount(7);
  await expect(chips.nth(1)).toContainText('throw 6');
  await chips.filter({ hasText: 'throw 1' }).getByRole('button').first().click();
  await expect.poll(async () => (await state(page)).end).toBe(15);
});

test('shots are moved and removed by keyboard, in the tree', async ({ page, studio }) => {
  await visit(page, studio);
  const camera = (name: string) => ({ name, type: 'fixed', position: [0, 1, 5], look_at: [0, 0, 0] });
  const scene = { ...JSON.parse(ball('shots')), cameras: [camera('near'), camera('far')], shots: [{ t: 0, camera: 'near' }, { t: 2, camera: 'far' }] };
  await ask(page, 'load', { name: 'shots.json', text: JSON.stringify(scene) });
  await expect.poll(async () => (await state(page)).scene_name).toBe('shots.json');
  const times = () => page.evaluate(() => (window as any).studio.store.scene.shots.map((s: any) => s.t));
  await page.locator('.row[data-kind=shot]').nth(1).click();
  const time = page.locator('.inspector').getByRole('textbox', { name: /^Time/ });
  await time.fill('3.5');
  await time.press('Enter');
  await expect.poll(times).toEqual([0, 3.5]);
  await page.locator('.row[data-kind=shot]').nth(1).click();
  await page.keyboard.press('Delete');
  await expect.poll(times).toEqual([0]);
});

test('a frame in another page shows one moment, keeps nothing and leads to the whole studio', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await ask(page, 'load', { name: 'ball.json', text: ball('framed') });
  await ask(page, 'step', { count: 7 });
  await expect.poll(async () => (await state(page)).step).toBe(7);
  await page.evaluate(() => navigator.clipboard.writeText('').catch(() => {}));
  await page.evaluate(() => dispatchEvent(new Event('tenon-link')));
  await expect.poll(() => page.evaluate(() => document.body.dataset.link ?? '')).toContain('#s=');
  const address = (await page.evaluate(() => document.body.dataset.link!)).replace('#s=', '#e=');
  const frame = await (await page.context().browser()!.newContext()).newPage();
  await frame.goto(address);
  await expect(frame.locator('body[data-ready=true]')).toBeAttached();
  await expect.poll(async () => (await state(frame)).step).toBe(7);
  await expect(frame.locator('.dock')).toBeHidden();
  await expect(frame.locator('.top')).toBeHidden();
  await expect(frame.locator('canvas.view')).toBeVisible();
  await expect(frame.getByRole('link', { name: /Open in the studio/ })).toHaveAttribute('href', /#s=/);
  await ask(frame, 'step', { count: 3 });
  await frame.waitForTimeout(900);
  expect(await frame.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('tenon.work')).length), transport).toBe(0);
  await frame.context().close();
});

test('Space runs what was opened in the gallery', async ({ page, studio }) => {
  await visit(page, studio);
  await page.getByRole('button', { name: 'Gallery', exact: true }).first().click();
  await page.locator('[data-scene="double-pendulum"]').click();
  await expect.poll(async () => (await state(page)).scene_name).toBe('double-pendulum.json');
  await page.keyboard.press('Space');
  await expect.poll(async () => (await state(page)).end).toBeGreaterThan(5);
  await expect(page.locator('dialog')).toHaveCount(0);
});
