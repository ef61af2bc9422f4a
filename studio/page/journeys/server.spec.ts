// What only a server can do: files, two pages, going away and coming back.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ask, expect, filmed, pose, seen, startServer, state, test, visit } from './kit';

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

test('a scene with a mesh file opens from the folder, runs and is filmed; a file that is missing is named', async ({ page, studio }) => {
  writeFileSync(join(studio.folder, 'tetra.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n');
  const scene = (file: string) => JSON.stringify({ tenon: 1, bodies: [{ name: 'floor', shape: { type: 'plane' } }, { name: 'tetra', shape: { type: 'mesh', file }, position: [0, 1, 0] }] });
  writeFileSync(join(studio.folder, 'mesh.json'), scene('tetra.obj'));
  writeFileSync(join(studio.folder, 'missing.json'), scene('nowhere.obj'));
  await visit(page, studio);
  await ask(page, 'load', { file: 'mesh.json' });
  await expect.poll(async () => (await state(page)).scene_name).toBe('mesh.json');
  expect(await page.evaluate(() => (window as any).studio.store.scene.meshes[0].triangles.length)).toBe(12);
  await ask(page, 'step', { count: 6 });
  await expect.poll(async () => (await pose(page, 'tetra'))[1]).toBeLessThan(1);
  await ask(page, 'render', { kind: 'film', format: 'png', size: '160x90', quality: 'draft', at: 0.05 });
  await expect.poll(async () => (await ask(page, 'jobs')).jobs.at(-1).state).toBe('done');
  const answer = await ask(page, 'load', { file: 'missing.json' });
  expect(JSON.stringify(answer.errors)).toContain('nowhere.obj');
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
  await seen(page);
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
  await expect.poll(async () => (await pose(page, 'stand'))[1]).toBe(1);
  second.stop();
  complaints.length = 0; // the browser itself complains about connections that fail
});

test('a hostile web page that even knows the address gets nothing, and the server goes on', async ({ page, browser, studio, complaints }) => {
  const evil = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<title>evil</title>'));
  await new Promise<void>((ready) => evil.listen(0, '127.0.0.1', ready));
  const hostile = await (await browser.newContext()).newPage();
  await hostile.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`);
  const got = await hostile.evaluate(async (address) => {
    const outcome = (work: Promise<unknown>) => work.then((x) => `got ${x}`, () => 'refused');
    const socket = () => new Promise((resolve, reject) => {
      const ws = new WebSocket(`${address.replace('http', 'ws')}ws?session=abc`);
      ws.onopen = () => resolve('a connection');
      ws.onerror = reject;
    });
    const frame = document.createElement('iframe');
    frame.src = address;
    document.body.append(frame);
    await new Promise((done) => setTimeout(done, 1500));
    const inside = (() => {
      try {
        return frame.contentWindow!.document.body.innerHTML.includes('Tenon') ? 'got a page' : 'refused';
      } catch {
        return 'refused';
      }
    })();
    return [await outcome(fetch(address).then((r) => r.text())), await outcome(fetch(`${address}studio.json`, { method: 'POST', body: '{}' }).then((r) => r.text())), await outcome(socket()), inside];
  }, studio.address);
  expect(got).toEqual(['refused', 'refused', 'refused', 'refused']);
  expect(studio.log.join('')).toContain('refused');
  expect(studio.log.join('')).not.toContain(new URL(studio.address).pathname.slice(1, 33)); // the token is no news for logs
  await hostile.context().close();
  evil.close();
  await visit(page, studio);
  await ask(page, 'step', { count: 3 });
  await expect.poll(async () => (await state(page)).step).toBe(3);
  complaints.length = 0;
});

// A browser makes one film at a time, of fewer fields.
test('a row of a film stays while another film is made: presses and focus are not lost', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await ask(page, 'load', { gallery: 'pendulum' });
  await ask(page, 'step', { count: 60 });
  await page.locator('canvas.view').focus();
  await page.keyboard.press('Shift+R');
  await page.locator('dialog').getByLabel('Size').selectOption('640x360');
  await page.getByLabel('Quality').selectOption('draft');
  await page.locator('dialog').getByLabel('What', { exact: true }).selectOption('png');
  await filmed(page, transport, () => page.getByRole('button', { name: 'Make it' }).click());
  const link = page.locator('.job[data-state="done"] a').first();
  await link.focus();
  await link.evaluate((e) => ((e as any).mine = true));
  await page.locator('dialog').getByLabel('What', { exact: true }).selectOption('mp4');
  await filmed(page, transport, async () => {
    await page.locator('dialog form').evaluate((form) => (form as HTMLFormElement).requestSubmit());
    await link.evaluate((e) => (e as HTMLElement).focus());
  });
  await expect.poll(() => page.locator('.job a').evaluateAll((all) => all.filter((e) => (e as any).mine).length)).toBe(1);
});

test('what is wrong with a film is said in its dialog, at the field', async ({ page, studio }) => {
  await visit(page, studio);
  await ask(page, 'load', { gallery: 'pendulum' });
  await ask(page, 'step', { count: 60 });
  await page.getByRole('button', { name: 'Make a film' }).click();
  const until = page.locator('dialog [name=to]');
  await until.fill('abc');
  await page.locator('dialog button[type=submit]').click();
  await expect(page.locator('dialog .toast.error')).toContainText('abc');
  await expect(until).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.locator('.toast.error')).toContainText('abc'); // and stays
});
