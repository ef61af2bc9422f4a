// Moments of a run: sync points and changes that are moved along the strip, pulls that become forces.
import { ask, expect, picture, pixel, pose, state, store, test, visit } from './kit';
import type { Page } from '@playwright/test';

const fall = JSON.stringify({ tenon: 1, bodies: [{ name: 'floor', shape: { type: 'plane' } }, { name: 'ball', shape: { type: 'sphere', radius: 0.1 }, position: [0, 3, 0], material: 'rubber' }] });
// Along the strip, from one step to another; y: from its top.
async function dragStrip(page: Page, from: number, to: number, y: number) {
  const strip = (await page.locator('canvas.strip').boundingBox())!;
  const x = (step: number) => strip.x + 12 + ((strip.width - 24) * step) / 600;
  await page.mouse.move(x(from), strip.y + y);
  await page.mouse.down();
  await page.mouse.move(x(to), strip.y + y, { steps: 6 });
  await page.mouse.up();
}

test('sync points and changes are moved along the strip, renamed, taken away and undone', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await ask(page, 'load', { name: 'fall.json', text: fall });
  await ask(page, 'step', { count: 120 });
  await ask(page, 'seek', { step: 40 });
  await page.locator('canvas.view').focus();
  await page.keyboard.press('m');
  await expect.poll(async () => (await store(page, 'syncs')).length).toBe(1);
  await dragStrip(page, 40, 90, 23);
  await expect.poll(async () => Math.abs((await store(page, 'syncs'))[0].step - 90)).toBeLessThan(3);
  // its name and its time by fields, found in the tree
  await page.locator('.tree .row[data-kind="sync"]').click();
  await page.getByLabel('Name', { exact: true }).fill('first hit');
  await page.getByLabel('Name', { exact: true }).press('Enter');
  await expect(page.locator('.tree .row[data-kind="sync"]')).toContainText('first hit');
  await page.getByLabel('Time (s)').fill('0.5');
  await page.getByLabel('Time (s)').press('Enter');
  await expect.poll(async () => (await store(page, 'syncs'))[0].step).toBe(30);
  await page.locator('.tree').focus();
  await page.keyboard.press('Delete');
  await expect.poll(async () => (await store(page, 'syncs')).length).toBe(0);
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await store(page, 'syncs'))[0]?.name).toBe('first hit');

  // a change in mid-run: pushed aside at 0.5 s, then rather at 1 s
  await ask(page, 'seek', { step: 30 });
  await ask(page, 'edit', { label: 'Push', ops: [{ op: 'set', path: ['bodies', 'ball', 'velocity'], value: [1, 0, 0] }] });
  await ask(page, 'step', { count: 60 });
  expect((await pose(page, 'ball'))[0]).toBeGreaterThan(0.6);
  await dragStrip(page, 30, 60, 46);
  await expect.poll(async () => (await store(page, 'takes')).filter((x: any) => x.chain && x.at > 0).map((x: any) => x.at).every((at: number) => at > 50)).toBe(true);
  await ask(page, 'seek', { step: 45 });
  expect((await pose(page, 'ball'))[0]).toBeCloseTo(0, 6);
  await picture(page, `moments-${transport}`);
  // and without it
  await page.locator('.tree .row[data-kind="cut"]').click();
  await page.locator('[data-do="remove"]').click();
  await expect(page.locator('.tree .row[data-kind="cut"]')).toHaveCount(0);
  await page.locator('canvas.view').focus();
  await page.keyboard.press('Control+z');
  await expect(page.locator('.tree .row[data-kind="cut"]')).toHaveCount(1);
});

test('a pull becomes forces on the timeline', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await ask(page, 'load', { name: 'float.json', text: JSON.stringify({ tenon: 1, world: { gravity: [0, 0, 0] }, bodies: [{ name: 'ball', shape: { type: 'sphere', radius: 0.2 }, position: [0, 1, 0] }] }) });
  await page.locator('canvas.view').focus();
  await page.keyboard.press('1');
  await ask(page, 'play', { speed: 0.3 });
  const at = await pixel(page, 0, await pose(page, 'ball'));
  await page.mouse.move(...at);
  await page.mouse.down();
  await page.mouse.move(at[0] + 120, at[1] - 40, { steps: 10 });
  await page.waitForTimeout(900);
  await page.mouse.up();
  await ask(page, 'pause');
  const end = (await state(page)).end;
  await ask(page, 'seek', { step: end });
  const led = (await pose(page, 'ball'))[0];
  expect(led).toBeGreaterThan(0.01);
  await page.locator('.toast button', { hasText: 'Make forces of the pull' }).first().click();
  await expect.poll(async () => (await store(page, 'scene.forces')).length).toBeGreaterThan(0);
  expect(await store(page, 'selectionKind')).toBe('force');
  const force = (await store(page, 'scene.forces'))[0];
  expect(force.name).toBe('pull of ball x');
  expect(force.curve.length).toBeGreaterThan(2);
  // about where the hand led it
  await ask(page, 'step', { count: end - (await state(page)).step });
  await expect.poll(async () => Math.abs((await pose(page, 'ball'))[0] / led - 1)).toBeLessThan(0.1);
  await picture(page, `pull-${transport}`);
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await state(page)).undo ?? '').not.toContain('Forces of a pull');
});
