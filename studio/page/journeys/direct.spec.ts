// Directing: forces, curves, hands, cameras, films, links, commands.
import { readFileSync } from 'node:fs';
import { ask, command, expect, filmed, picture, pixel, pose, state, store, test, visit } from './kit';
import type { Page } from '@playwright/test';

async function newScene(page: Page) {
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await expect.poll(async () => (await state(page)).bodies).toBe(1);
}

test('a force is pulled out of a body, stands on the timeline, is moved there, and acts', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await newScene(page);
  await page.locator('[data-tool="box"]').click();
  await page.mouse.click(...(await pixel(page, 0, [0, 0.5, 0])));
  await expect.poll(async () => (await state(page)).bodies).toBe(2);
  await page.locator('canvas.view').focus();
  await page.keyboard.press('d'); // dropped until it touches
  const half = (await store(page, 'scene.bodies'))[1].shape.size[1] / 2;
  await expect.poll(async () => (await pose(page, 'box'))[1]).toBeCloseTo(half, 4);

  await page.locator('[data-tool="force"]').click();
  const at = await pixel(page, 0, await pose(page, 'box'));
  await page.mouse.move(...at);
  await page.mouse.down();
  await page.mouse.move(at[0] + 150, at[1], { steps: 5 });
  await expect(page.locator('.drag-note')).toContainText('N');
  await page.mouse.up();
  await expect.poll(() => store(page, 'scene.forces.length')).toBe(1);
  expect(await store(page, 'selectionKind')).toBe('force');
  // as strong as it takes, along x, by the field
  await page.getByLabel('Force x').fill('2 kN');
  await page.getByLabel('Force x').press('Enter');
  await expect.poll(async () => (await store(page, 'scene.forces'))[0].force[0]).toBe(2000);

  // the block on the strip: from its middle half a second to the right
  const strip = (await page.locator('canvas.strip').boundingBox())!;
  const second = (strip.width - 24) / 10;
  const y = strip.y + strip.height - 14;
  await page.mouse.move(strip.x + 12 + 0.25 * second, y);
  await page.mouse.down();
  await page.mouse.move(strip.x + 12 + 0.75 * second, y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => (await store(page, 'scene.forces'))[0].from).toBeCloseTo(0.5, 1);
  await ask(page, 'step', { count: 60 });
  await ask(page, 'seek', { step: 24 });
  await expect.poll(async () => (await pose(page, 'box'))[0]).toBeCloseTo(0, 3);
  await ask(page, 'seek', { step: 60 });
  await expect.poll(async () => (await pose(page, 'box'))[0]).toBeGreaterThan(0.05);
  await picture(page, `force-${transport}`);
});

test('anything is plotted, beside another take, and saved as a table', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await ask(page, 'load', { name: 'fall.json', text: '{"tenon": 1, "bodies": [{"name": "floor", "shape": {"type": "plane"}}, {"name": "ball", "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 3, 0], "material": "rubber"}]}' });
  await ask(page, 'step', { count: 90 });
  await page.locator('.tree .row', { hasText: 'ball' }).click();
  await page.locator('canvas.view').focus();
  await page.keyboard.press('g');
  await page.locator('dialog [data-quantity="body:ball.y"]').click();
  await page.keyboard.press('Escape');
  await expect(page.locator('.trace')).toHaveCount(1);
  await ask(page, 'seek', { step: 30 });
  // free fall for half a second: 3 m - 9.81 / 8 m
  await expect(page.locator('.trace output')).toContainText('1.774');
  // another future, and the old one as a ghost
  await page.locator('[data-material="iron"]').click();
  await expect.poll(async () => (await state(page)).undo).toContain('iron');
  await ask(page, 'step', { count: 60 });
  await page.locator('canvas.view').focus();
  await command(page, 'ghost');
  await expect.poll(() => page.evaluate(() => !!(window as any).studio.store.ghost?.poses)).toBe(true);
  await command(page, 'show trails');
  await command(page, 'energy balance');
  await expect(page.locator('.trace')).toHaveCount(5);
  await picture(page, `plots-${transport}`);
  const saved = page.waitForEvent('download');
  await page.locator('[data-action="csv"]').click();
  const table = readFileSync((await (await saved).path())!, 'utf8').trim().split('\n');
  expect(table[0]).toContain('body:ball.y');
  expect(table).toHaveLength(92);
});

test('a mechanism is led by hand while time stands still, and rows are made and aligned', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await ask(page, 'load', { gallery: 'double-pendulum' });
  await expect.poll(async () => (await state(page)).scene_name).toBe('double-pendulum.json');
  await page.locator('canvas.view').focus();
  await page.keyboard.press('1');
  await page.keyboard.press('f');
  const bodies: any[] = await store(page, 'scene.bodies');
  const last = bodies.filter((b) => b.motion === 'dynamic').at(-1).name;
  const before = await pose(page, last);
  await ask(page, 'expand'); // its rods come from an array
  await expect.poll(async () => (await store(page, 'scene.bodies'))[1].own).toBe(true);
  await page.keyboard.press('a');
  const at = await pixel(page, 0, before);
  await page.mouse.move(...at);
  await page.mouse.down();
  await page.mouse.move(at[0] - 60, at[1] - 40, { steps: 8 });
  await page.mouse.up();
  await expect.poll(async () => (await state(page)).undo ?? '').toContain('Drag');
  const after = await pose(page, last);
  expect(Math.hypot(after[0] - before[0], after[1] - before[1])).toBeGreaterThan(0.02);
  await ask(page, 'step', { count: 10 });
  const joints: any[] = await store(page, 'scene.joints');
  const series = await ask(page, 'series', { quantities: joints.map((j) => `joint:${j.name}.gap`), from: 10 });
  for (const [gap] of series.values) expect(gap).toBeLessThan(1e-4);
  await picture(page, `hand-${transport}`);

  await page.keyboard.press('Escape');
  await newScene(page);
  await page.locator('[data-tool="sphere"]').click();
  await page.mouse.click(...(await pixel(page, 0, [0, 1, 0])));
  await expect.poll(async () => (await state(page)).bodies).toBe(2);
  await page.locator('canvas.view').focus();
  await page.keyboard.press('Shift+D');
  await page.getByLabel('Count').fill('4');
  await page.getByLabel('Distance y').fill('0.3');
  await page.getByLabel('Distance y').press('Enter');
  await expect.poll(async () => (await state(page)).bodies).toBe(5);
  await page.locator('canvas.view').focus();
  await page.keyboard.press('Control+a');
  await command(page, 'align y: middle');
  const heights = () => page.evaluate(() => (window as any).studio.store.scene.bodies.slice(1).map((b: any) => (window as any).studio.store.pose(b.name)[1].toFixed(4)));
  await expect.poll(async () => new Set(await heights()).size).toBe(1);
});

test('cameras are mounted and cut, stereo is seen, and the take with its change is filmed', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await ask(page, 'load', { gallery: 'pendulum' });
  await expect.poll(async () => (await state(page)).scene_name).toBe('pendulum.json');
  await ask(page, 'step', { count: 24 });
  await ask(page, 'seek', { step: 12 });
  await page.locator('canvas.view').focus();
  const moving = (await store(page, 'scene.bodies')).find((b: any) => b.motion === 'dynamic').name;
  await page.locator('.tree .row', { hasText: moving }).first().click();
  await page.locator('[data-material="iron"]').click(); // a change in mid-run
  await expect.poll(async () => (await state(page)).undo).toContain('iron');
  await ask(page, 'step', { count: 12 });
  await page.locator('canvas.view').focus();
  await command(page, 'camera from this view');
  await expect(page.locator('body')).toHaveAttribute('data-through', 'camera'); // it is looked through at once
  await page.locator('.tree .row', { hasText: moving }).first().click();
  await page.locator('canvas.view').focus();
  await page.keyboard.press('Shift+K');
  await expect(page.locator('body')).toHaveAttribute('data-through', `on ${moving}`);
  await ask(page, 'seek', { step: 16 });
  await page.keyboard.press('Shift+X');
  await expect.poll(async () => (await store(page, 'scene.shots')).at(-1)?.camera).toBe(`on ${moving}`);
  expect((await state(page)).end).toBe(24); // nothing recorded is lost by that
  await page.keyboard.press('Shift+F');
  await ask(page, 'seek', { step: 4 });
  await picture(page, `film-${transport}`);
  await command(page, 'stereo');
  await expect(page.locator('body')).toHaveAttribute('data-stereo', 'red-cyan');
  await picture(page, `stereo-${transport}`);

  await page.keyboard.press('Shift+R');
  if (transport === 'server') {
    await page.locator('dialog').getByLabel('Size').selectOption('640x360');
    await page.getByLabel('Quality').selectOption('draft');
    await page.getByLabel('Pictures per second').selectOption('15');
  }
  const saved = await filmed(page, transport, () => page.getByRole('button', { name: 'Make it' }).click());
  const bytes = readFileSync((await saved.path())!);
  expect(bytes.length).toBeGreaterThan(2000);
  // MP4 says so after four bytes, WebM begins with the sign of EBML
  expect(bytes.subarray(4, 8).toString() === 'ftyp' || bytes.readUInt32BE(0) === 0x1a45dfa3).toBe(true);
  await picture(page, `render-${transport}`);
});

test('a link opens the same moment with the same view', async ({ page, studio, browser }) => {
  await visit(page, studio);
  await ask(page, 'load', { gallery: 'cradle' });
  await expect.poll(async () => (await state(page)).scene_name).toBe('cradle.json');
  await ask(page, 'step', { count: 33 });
  await ask(page, 'sync', { name: 'here' });
  const hash = (await ask(page, 'hash')).hash;
  const camera = await page.evaluate(() => JSON.stringify((window as any).studio.views.views.map((v: any) => [v.target, v.span, v.yaw, v.pitch])));
  await page.locator('canvas.view').focus();
  await page.keyboard.press('Control+Alt+c');
  await expect(page.locator('body')).toHaveAttribute('data-link', /#s=/);
  const link = (await page.locator('body').getAttribute('data-link'))!;
  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(link);
  await expect(other.locator('body[data-ready=true]')).toBeAttached();
  await expect.poll(async () => (await state(other)).step).toBe(33);
  expect((await ask(other, 'hash')).hash).toBe(hash);
  expect(await other.evaluate(() => JSON.stringify((window as any).studio.views.views.map((v: any) => [v.target, v.span, v.yaw, v.pitch])))).toBe(camera);
  expect(await store(other, 'syncs.length')).toBe(1);
  await context.close();
});
