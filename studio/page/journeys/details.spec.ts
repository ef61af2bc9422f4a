// What a second look at the studio found wrong once, so that it stays right: pictures of films, times of takes with
// other steps, hands, drop tests, frames for other pages.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, command, expect, filmed, pixel, pose, state, test, visit } from './kit';

const floor = { name: 'floor', shape: { type: 'plane' } };
const ball = (more: object = {}) => ({ name: 'ball', shape: { type: 'sphere', radius: 0.1 }, position: [0, 1, 0], ...more });
const scene = (title: string, bodies: object[], more: object = {}) => JSON.stringify({ tenon: 1, title, bodies, ...more });

// Where the red of a picture lies, in widths of it.
function redAt(raw: Buffer, width: number, height: number): number {
  let [sum, all] = [0, 0];
  for (let y = 0; y < height; ++y)
    for (let x = 0; x < width; ++x) {
      const at = 3 * (y * width + x);
      const red = Math.max(0, raw[at] - Math.max(raw[at + 1], raw[at + 2]) - 40);
      sum += red * (x + 0.5);
      all += red;
    }
  return all > 0 ? sum / all / width : NaN;
}

test('each picture of a film shows its own moment: none is late, none comes twice', async ({ page, studio, transport }) => {
  await visit(page, studio);
  // a red ball that goes a metre a second from left to right, past a camera that stands still
  const text = scene('film', [ball({ position: [-1, 0, 0], velocity: [1, 0, 0], shape: { type: 'sphere', radius: 0.25 }, color: '#ff0000', roughness: 1, metallic: 0 })], { world: { gravity: [0, 0, 0], step: '1/60' }, cameras: [{ name: 'still', type: 'fixed', position: [0, 0, 5], look_at: [0, 0, 0], fov: '45 deg' }], shots: [{ t: 0, camera: 'still' }] });
  await ask(page, 'load', { name: 'film.json', text });
  await ask(page, 'step', { count: 120 });
  await expect.poll(async () => (await state(page)).end).toBe(120);
  await page.locator('canvas.view').focus();
  await page.keyboard.press('Shift+R');
  const [width, height] = transport === 'server' ? [640, 360] : [426, 240];
  await page.locator('dialog').getByLabel('Size').selectOption(`${width}x${height}`);
  await page.getByLabel('Pictures per second').selectOption('15');
  if (transport === 'server') await page.getByLabel('Quality').selectOption('draft');
  const saved = await filmed(page, transport, () => page.getByRole('button', { name: 'Make it' }).click());
  const folder = mkdtempSync(join(tmpdir(), 'tenon-pictures-'));
  const file = join(folder, 'film.mp4');
  await saved.saveAs(file);
  const raw = execFileSync('ffmpeg', ['-v', 'error', '-i', file, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'], { maxBuffer: 1 << 28 });
  rmSync(folder, { recursive: true });
  const size = 3 * width * height;
  const places = Array.from({ length: raw.length / size }, (_, k) => redAt(raw.subarray(k * size, (k + 1) * size), width, height));
  expect(Math.abs(places.length - 31)).toBeLessThanOrEqual(1); // two seconds, the first picture at 0
  // 2 tan(22.5°) · 5 m are as high as the picture
  const wide = (2 * Math.tan(Math.PI / 8) * 5 * width) / height;
  for (const [k, place] of places.entries()) expect(Math.abs(place - (0.5 + (-1 + k / 15) / wide)), `picture ${k}: ${places.map((x) => x.toFixed(3))}`).toBeLessThan(0.4 / 15 / wide);
});

test('takes with other steps have the times of the clock: on the strip, in the status line and between takes', async ({ page, studio }) => {
  await visit(page, studio);
  await ask(page, 'load', { name: 'steps.json', text: scene('steps', [floor, ball({ position: [0, 30, 0] })], { world: { step: '1/60', duration: 4 } }) });
  await ask(page, 'step', { count: 60 });
  await expect.poll(async () => (await state(page)).end).toBe(60);
  await ask(page, 'edit', { ops: [{ op: 'set', path: ['world', 'step'], value: '1/240' }], label: 'finer' });
  await ask(page, 'step', { count: 240 });
  await expect.poll(async () => (await state(page)).step).toBe(300);
  // 1 s of 60 steps, then 1 s of 240
  const clock = () => page.evaluate(() => (window as any).studio.store.frame.time as number);
  await expect.poll(clock).toBeCloseTo(2, 6);
  expect(await page.evaluate(() => (window as any).studio.store.timeOf(300))).toBeCloseTo(2, 9);
  expect(await page.evaluate(() => (window as any).studio.store.stepOf(1.5))).toBe(180);
  // free fall says the same
  expect((await pose(page, 'ball'))[1]).toBeCloseTo(30 - 0.5 * 9.81 * 4, 0);
  await expect(page.locator('.status')).toContainText('2.0');
  // a click on the strip in the middle between 1 s and 2 s
  const strip = (await page.locator('canvas.strip').boundingBox())!;
  const [one, two] = await page.evaluate(() => [60, 300].map((step) => (window as any).studio.timelineX(step)));
  await page.mouse.click(strip.x + (one + two) / 2, strip.y + 8);
  await expect.poll(clock).toBeCloseTo(1.5, 1);
  await expect.poll(async () => Math.abs((await state(page)).step - 180)).toBeLessThan(12);
  // the other take at the same instant, as far as it goes
  await ask(page, 'take', { take: 0 });
  await expect.poll(clock).toBeCloseTo(1, 6);
  await ask(page, 'step', { count: 30 });
  await expect.poll(clock).toBeCloseTo(1.5, 6);
});

test('a hand that pulls says how hard; one that leads stops at the floor', async ({ page, studio }) => {
  await visit(page, studio);
  const hinge = { name: 'hinge', type: 'hinge', child: 'arm', at: [0, 0.5, 0], axis: [0, 0, 1] };
  await ask(page, 'load', { name: 'arm.json', text: scene('arm', [floor, { name: 'arm', shape: { type: 'box', size: [0.8, 0.1, 0.1] }, position: [0.4, 0.5, 0] }], { joints: [hinge] }) });
  await expect.poll(async () => (await state(page)).bodies).toBe(2);
  expect((await state(page)).scene_name).toBe('arm.json');
  await page.locator('canvas.view').focus();
  await page.keyboard.press('1');
  await page.keyboard.press('f');
  // led far below the floor: its tip rests on it
  const tip = await pixel(page, 0, [0.75, 0.5, 0]);
  const deep = await pixel(page, 0, [0.3, -0.4, 0]);
  await page.keyboard.press('a');
  await page.mouse.move(...tip);
  await page.mouse.down();
  await page.mouse.move(...deep, { steps: 14 });
  await expect(page.locator('.drag-note')).toContainText('out of reach');
  await page.mouse.up();
  await expect.poll(async () => (await state(page)).undo ?? '').toContain('Drag');
  const [x, y, , qw, , , qz] = await pose(page, 'arm');
  const angle = 2 * Math.atan2(qz, qw);
  const low = Math.min(...[-0.4, 0.4].flatMap((a) => [-0.05, 0.05].map((b) => y + a * Math.sin(angle) + b * Math.cos(angle))));
  expect(low).toBeGreaterThan(-0.005);
  expect(low).toBeLessThan(0.05);
  expect(Math.hypot(x, y - 0.5)).toBeCloseTo(0.4, 2); // and the hinge holds
  await page.keyboard.press('Escape');
  // pulled while it runs
  await ask(page, 'play', { speed: 0.2 });
  await page.mouse.move(...(await pixel(page, 0, [x, y, 0])));
  await page.mouse.down();
  const [px, py] = await pixel(page, 0, [x, y + 0.6, 0]);
  await page.mouse.move(px, py, { steps: 6 });
  await expect(page.locator('.drag-note')).toHaveText(/^[1-9][\d.]* N$/);
  await page.mouse.up();
  await ask(page, 'pause');
  await expect(page.locator('.drag-note')).toHaveText('');
});

test('a ball of a material is dropped onto another one, and bounces as their pair says', async ({ page, studio }) => {
  await visit(page, studio);
  await ask(page, 'load', { name: 'ball.json', text: scene('drop', [floor, ball({ material: 'rubber' })]) });
  await page.locator('.tree .row', { hasText: 'ball' }).click();
  await page.locator('canvas.view').focus();
  await page.keyboard.press('Shift+L');
  await page.getByLabel('Onto which material').selectOption('stone');
  await page.locator('[data-do="drop-test"]').click();
  const told = page.locator('.sheet .facts', { hasText: 'restitution' });
  await expect(told).toContainText('A ball of rubber');
  const height = async () => Number(/comes up ([\d.]+) cm/.exec((await told.textContent())!)![1]);
  const before = await height();
  expect(before).toBeGreaterThan(1);
  // other numbers, another bounce, without being asked: half the speed is a quarter of the height
  await page.locator('.sheet').getByLabel('Restitution', { exact: true }).first().fill('0.5');
  await page.locator('.sheet').getByLabel('Restitution', { exact: true }).first().press('Enter');
  await expect.poll(height).not.toBe(before);
  const { restitution } = (await ask(page, 'pairs')).pairs.find((p: any) => [p.a, p.b].sort().join() === 'rubber,stone');
  await expect.poll(async () => Math.abs((await height()) - 100 * restitution ** 2)).toBeLessThan(3);
});

test('merged edits do not pile up: a hundred presses are one value of one take', async ({ page, studio }) => {
  await visit(page, studio);
  await ask(page, 'load', { name: 'ball.json', text: scene('presses', [floor, ball()]) });
  await page.locator('.tree .row', { hasText: 'ball' }).click();
  await page.locator('canvas.view').focus();
  const step = await page.evaluate(() => (window as any).studio.snapStep());
  for (let i = 0; i < 100; ++i) await page.keyboard.press('Control+ArrowRight');
  await expect.poll(async () => Number(((await pose(page, 'ball'))[0] / step).toFixed(2))).toBe(100);
  const { project } = await ask(page, 'project');
  expect(project.takes).toHaveLength(2);
  expect(project.takes[1].ops).toHaveLength(1);
  expect(project.history).toHaveLength(1);
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await pose(page, 'ball'))[0]).toBe(0);
});

test('the HTML for other pages is a frame with this moment; a local server offers none', async ({ page, studio, transport, browser }) => {
  await visit(page, studio);
  await ask(page, 'load', { name: 'ball.json', text: scene('a "framed" <ball>', [floor, ball()]) });
  await ask(page, 'step', { count: 9 });
  await expect.poll(async () => (await state(page)).step).toBe(9);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'What would you like to do?' }).fill('html for other');
  const offered = page.getByRole('option', { name: /Copy HTML/ });
  if (transport === 'server') {
    await expect(offered).toHaveCount(0);
    return;
  }
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await command(page, 'html for other');
  await expect.poll(() => page.evaluate(() => document.body.dataset.embedCode ?? '')).toContain('<iframe');
  const code = (await page.evaluate(() => document.body.dataset.embedCode))!;
  const other = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Mine</title><h1>My page</h1>${code}`));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const context = await browser.newContext();
  const mine = await context.newPage();
  await mine.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
  const element = mine.locator('iframe');
  await expect(element).toHaveAttribute('title', 'a "framed" <ball>');
  const inside = (await (await element.elementHandle())!.contentFrame())!;
  await expect(inside.locator('body[data-ready=true]')).toBeAttached();
  await expect.poll(() => inside.evaluate(() => (window as any).studio.store.state?.step)).toBe(9);
  await expect(inside.locator('canvas.view')).toBeVisible();
  await expect(inside.locator('.dock')).toBeHidden();
  await context.close();
  other.close();
});

test('a key counts from where the playhead goes, not from the last picture', async ({ page, studio }) => {
  await visit(page, studio);
  await ask(page, 'load', { name: 'ball.json', text: scene('keys', [floor, ball({ position: [0, 30, 0] })]) });
  await ask(page, 'step', { count: 60 });
  for (const step of [20, 40]) {
    await ask(page, 'seek', { step });
    await ask(page, 'sync');
  }
  await ask(page, 'seek', { step: 60 });
  // pressed in one go, before anything is answered
  const at = (...keys: string[]) =>
    page.evaluate((all) => {
      const canvas = document.querySelector('canvas.view')!;
      for (const key of all) canvas.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    }, keys);
  await at('Home', '.');
  await expect.poll(async () => (await state(page)).step).toBe(20);
  await at('.', ',');
  await page.waitForTimeout(300);
  expect((await state(page)).step).toBe(20);
  await at('End', ',', ',');
  await expect.poll(async () => (await state(page)).step).toBe(20);
});

test('nothing is cut off: small laptops, phones, long dialogs; an empty scene says how to begin', { tag: '@page' }, async ({ browser, studio }) => {
  const open = async (width: number, height: number) => {
    const page = await (await browser.newContext({ viewport: { width, height } })).newPage();
    await visit(page, studio);
    await ask(page, 'load', { gallery: 'can-toss' });
    await expect.poll(async () => (await state(page)).scene_name).toBe('can-toss.json');
    return page;
  };
  for (const [width, height] of [[1024, 640], [1200, 760], [1440, 900]]) {
    const page = await open(width, height);
    // every button of the bar is there, in one line
    for (const box of await page.locator('.top button').evaluateAll((all) => all.map((e) => e.getBoundingClientRect().toJSON()))) {
      expect(box.right, `${width}`).toBeLessThanOrEqual(width);
      expect(box.height, `${width}`).toBeLessThan(44);
    }
    // the tree shows some of its rows
    const tree = (await page.locator('.tree').boundingBox())!;
    expect(tree.height, `${width}`).toBeGreaterThan(80);
    // the head of a long dialog stays, with its cross
    await page.getByRole('button', { name: 'Gallery', exact: true }).click();
    const dialog = page.locator('dialog');
    await dialog.evaluate((e) => (e.scrollTop = 2000));
    const [cross, box] = [(await dialog.getByRole('button', { name: 'Close', exact: true }).boundingBox())!, (await dialog.boundingBox())!];
    expect(cross.y).toBeGreaterThanOrEqual(box.y);
    expect((await dialog.getByRole('searchbox').boundingBox())!.y).toBeGreaterThan(box.y);
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(page.locator('.empty-note')).toBeHidden();
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await expect(page.locator('.empty-note')).toBeVisible();
    await page.locator('[data-tool="box"]').click();
    await expect(page.locator('.empty-note')).toBeHidden();
    await page.context().close();
  }
  const phone = await open(390, 780);
  // tabs stay where they are, whatever is below them
  const high = async () => (await phone.locator('.sheet-tabs').boundingBox())!.y;
  const tabs = await high();
  await ask(phone, 'step', { count: 20 });
  await ask(phone, 'seek', { step: 5 });
  await ask(phone, 'edit', { ops: [{ op: 'set', path: ['bodies', 'ball', 'material'], value: 'iron' }], label: 'iron' });
  await expect(phone.locator('.takes .chip')).toHaveCount(2);
  expect(await high()).toBe(tabs);
  for (const name of ['Gallery', 'Inspector', 'Timeline']) {
    await phone.getByRole('tab', { name }).click();
    expect(await high()).toBe(tabs);
  }
  await phone.getByRole('tab', { name: 'Inspector' }).click();
  // the first row is seen whole; rows may be made anew at any time
  const hidden = () => phone.evaluate(() => {
    const [row, tree] = ['.tree .row', '.tree'].map((which) => document.querySelector(which)!.getBoundingClientRect());
    return row.bottom - tree.bottom;
  });
  expect(await hidden()).toBeLessThanOrEqual(0);
  // who looks over the shoulder of a camera does not see it
  const frustums = () => phone.evaluate(() => {
    const { stage, views } = (window as any).studio;
    stage.forView(false, null, views.views[3].camera.position);
    return stage.overlays.frustums.filter((f: any) => f.lines.visible).length;
  });
  expect(await frustums()).toBe(0);
  // arrows are measured by what moves, not by its ground
  await ask(phone, 'load', { gallery: 'aero/vehicle-on-ice' });
  await ask(phone, 'step', { count: 80 });
  await expect.poll(async () => (await state(phone)).step).toBe(80);
  const longest = await phone.evaluate(() => {
    const { stage } = (window as any).studio;
    stage.move();
    return Math.max(...stage.overlays.arrows.map((a: any) => a.arrow.shaft.scale.y));
  });
  expect(longest).toBeGreaterThan(0.1);
  expect(longest).toBeLessThan(3);
  await phone.context().close();
});

test('views show what a scene that is flat at first will do', async ({ page, studio }) => {
  await visit(page, studio);
  await ask(page, 'load', { gallery: 'double-pendulum' });
  await expect.poll(async () => (await state(page)).scene_name).toBe('double-pendulum.json');
  const spans: number[] = await page.evaluate(() => (window as any).studio.views.views.map((v: any) => v.span));
  for (const span of spans) expect(span).toBeGreaterThan(0.45 * 2);
});

test('what a joint carries is told of where the playhead stands, also where the engine was busy on the way', async ({ page, studio }) => {
  await visit(page, studio);
  const arm = { name: 'arm', shape: { type: 'box', size: [0.8, 0.1, 0.1] }, position: [0.4, 2, 0] };
  const heap = Array.from({ length: 250 }, (_, i) => ball({ name: `ball ${i}`, position: [4 + 0.21 * (i % 6), 0.2 + 0.25 * Math.floor(i / 36), 0.21 * (Math.floor(i / 6) % 6)] }));
  await ask(page, 'load', { name: 'arm.json', text: scene('arm', [floor, arm, ...heap], { joints: [{ name: 'hinge', type: 'hinge', child: 'arm', at: [0, 2, 0], axis: [0, 0, 1] }] }) });
  await page.evaluate(() => (window as any).studio.store.select(['hinge'], 'joint'));
  await expect(page.locator('[data-live="hinge"]')).toBeAttached();
  // a step, whose force the page asks for; then many more, and then work that keeps the engine from answering
  await page.evaluate(async () => {
    const { request } = (window as any).studio;
    const all = [request('step', { count: 1 }), request('step', { count: 120 })];
    for (let i = 0; i < 24; ++i) all.push(request('hash', { step: 29 + 30 * (i % 4) }).catch(() => {})); // a slow one is not there yet
    await Promise.all(all);
  });
  await expect.poll(async () => (await state(page)).step).toBe(121);
  const { values } = await ask(page, 'series', { quantities: ['joint:hinge.force'], from: 121, to: 121 });
  const shown = async () => Number(/force ([\d.]+) N/.exec((await page.locator('[data-live="hinge"]').textContent())!)?.[1]);
  await expect.poll(async () => Math.abs((await shown()) / values[0][0] - 1), { timeout: 5000 }).toBeLessThan(0.01);
});
