// What only a server can do: files, two pages, going away and coming back.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, expect, pose, startServer, state, test, visit } from './kit';

test('a scene is saved to the folder, opened again, and its mistakes are shown', async ({ page, studio }) => {
  await visit(page, studio);
  await ask(page, 'load', { gallery: 'pendulum' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByLabel('File name').fill('kept.json');
  await page.getByLabel('File name').press('Enter');
  await expect(page.locator('.toast', { hasText: 'Saved kept.json' })).toBeVisible();
  expect(JSON.parse(readFileSync(join(studio.folder, 'kept.json'), 'utf8')).title).toBe('Pendulum');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('button', { name: 'kept.json' }).click();
  await expect.poll(async () => (await state(page)).scene_name).toBe('kept.json');
  await ask(page, 'load', { name: 'bad.json', text: '{"tenon": 1, "bodies": [{"name": "a", "shape": {"type": "sphere", "radius": "3 kg"}}]}' });
  await expect(page.locator('.mistakes')).toContainText('radius');
});

test('two pages on one server have a session each', async ({ page, browser, studio }) => {
  await visit(page, studio);
  const other = await (await browser.newContext()).newPage();
  await visit(other, studio);
  await ask(page, 'load', { gallery: 'pendulum' });
  await ask(other, 'load', { gallery: 'gears' });
  await ask(page, 'step', { count: 5 });
  expect((await state(page)).scene_name).toBe('pendulum.json');
  expect((await state(other)).scene_name).toBe('gears.json');
  expect((await state(other)).step).toBe(0);
  await other.context().close();
});

test('a server that dies takes no work with it', async ({ page, studio, complaints }) => {
  const first = await startServer(studio.folder);
  const port = new URL(first.address).port;
  await page.goto(first.address);
  await expect(page.locator('body[data-ready=true]')).toBeAttached();
  await ask(page, 'edit', { ops: [{ op: 'set', path: ['bodies', 'stand', 'position'], value: [0, 1, 0] }], label: 'up' });
  await ask(page, 'step', { count: 12 });
  await page.waitForTimeout(900);
  const hash = (await ask(page, 'hash')).hash;
  first.process.kill('SIGKILL');
  await expect(page.locator('.banner')).toContainText('nothing you made is lost');
  const second = await startServer(studio.folder, '--port', port);
  await page.goto(second.address);
  await expect(page.locator('body[data-ready=true]')).toBeAttached();
  await expect.poll(async () => (await state(page)).step).toBe(12);
  expect((await ask(page, 'hash')).hash).toBe(hash);
  expect((await pose(page, 'stand'))[1]).toBe(1);
  second.stop();
  complaints.length = 0; // the browser itself complains about connections that fail
});
