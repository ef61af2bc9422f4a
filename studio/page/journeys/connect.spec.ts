// The tool that connects: where it puts joints and the ends of springs, and how they look.
import type { Page } from '@playwright/test';
import { ask, expect, picture, pixel, pose, state, store, test, visit } from './kit';

const rod = JSON.stringify({
  tenon: 1,
  bodies: [
    { name: 'rod', shape: { type: 'box', size: [0.1, 1, 0.1] }, position: [0, 1.5, 0.3] },
    { name: 'ball', shape: { type: 'sphere', radius: 0.15 }, position: [0.8, 1, -0.2] },
  ],
});
const jointOf = async (page: Page, name: string) => (await store(page, 'scene.joints')).find((j: any) => j.name === name);
const connect = async (page: Page, key: string, first: number[], second: number[], view = 0) => {
  await page.locator('canvas.view').focus();
  await page.keyboard.press('c');
  await expect(page.locator('.hud')).toBeVisible();
  await page.keyboard.press(key);
  await page.mouse.click(...(await pixel(page, view, first)));
  const at = await pixel(page, view, second);
  await page.mouse.move(...at);
  await page.mouse.click(...at);
};

test('a hinge to the world is where the body was clicked, at the end of the rod and in its middle plane', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await ask(page, 'load', { name: 'rod.json', text: rod });
  await expect.poll(async () => (await state(page)).bodies).toBe(2);
  // a little beside the upper end; then empty space
  await connect(page, '5', [0.015, 1.985, 0.3], [-0.3, 1.7, 0]);
  await expect.poll(() => store(page, 'selection')).toEqual(['hinge']);
  const hinge = await jointOf(page, 'hinge');
  expect(hinge.a).toBe('world');
  for (const [got, want] of [[hinge.pa[0], 0], [hinge.pa[1], 2], [hinge.pa[2], 0.3], [hinge.pb[0], 0], [hinge.pb[1], 0.5], [hinge.pb[2], 0]]) expect(got).toBeCloseTo(want, 5);
  await picture(page, `connect-hinge-${transport}`);
  // the axis is the view's
  await expect(page.getByLabel('Axis z')).toHaveValue('1');

  // a spring keeps both points: the ball's pole, and a place in the plane of its middle
  await connect(page, '1', [0.8, 1.148, -0.2], [0.8, 1.7, 0]);
  await expect.poll(() => store(page, 'selection')).toEqual(['spring']);
  const spring = await jointOf(page, 'spring');
  expect(spring.pa[0]).toBeCloseTo(0.8, 1);
  expect(spring.pa[2]).toBeCloseTo(-0.2, 5);
  expect(spring.pb[1]).toBeCloseTo(0.15, 5);
  expect(spring.pb[2]).toBeCloseTo(0, 5);
  await picture(page, `connect-spring-${transport}`);

  // it swings in the plane
  await ask(page, 'step', { count: 40 });
  expect((await pose(page, 'ball'))[2]).toBeCloseTo(-0.2, 4);
  expect((await pose(page, 'rod'))[2]).toBeCloseTo(0.3, 4);
});

test('the palette leaves the views free and says what to click', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await ask(page, 'load', { name: 'rod.json', text: rod });
  await expect.poll(async () => (await state(page)).bodies).toBe(2);
  await page.locator('canvas.view').focus();
  await page.keyboard.press('c');
  const hud = page.locator('.hud');
  await expect(hud).toBeVisible();
  await page.keyboard.press('5');
  await expect(page.locator('.hud-step')).toHaveText('Click the body, at the place of the joint');
  const box = (await hud.boundingBox())!;
  const view = (await page.locator('canvas.view').boundingBox())!;
  expect(box.y + box.height).toBeLessThanOrEqual(view.y + 1);
  // nothing of it is cut off
  expect(await hud.evaluate((e) => e.scrollWidth - e.clientWidth)).toBeLessThanOrEqual(1);
  await expect
    .poll(async () => {
      await page.mouse.move(...(await pixel(page, 0, [0.01, 1.98, 0.3])));
      return page.locator('.drag-note').textContent();
    })
    .toContain('end');
  await picture(page, `connect-palette-${transport}`);
});

test('springs, dampers and shock absorbers are coils and pistons; an anchor outside of its body has a lever', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await ask(page, 'load', { gallery: 'connections' });
  await expect.poll(async () => (await store(page, 'scene.joints')).length).toBeGreaterThan(4);
  const parts = await page.evaluate(() => {
    const out: Record<string, number> = {};
    for (const group of (window as any).studio.stage.links.children) group.traverse((o: any) => o.isMesh && (out[o.userData.joint] = (out[o.userData.joint] ?? 0) + 1));
    const joints = (window as any).studio.store.scene.joints;
    return Object.fromEntries(joints.map((j: any) => [j.type, out[j.name]]));
  });
  expect(parts['spring']).toBeGreaterThanOrEqual(1);
  expect(parts['damper']).toBeGreaterThanOrEqual(2);
  expect(parts['shock absorber']).toBeGreaterThanOrEqual(3);
  await picture(page, `connections-look-${transport}`);
  await ask(page, 'load', { name: 'lever.json', text: JSON.stringify({ tenon: 1, bodies: [{ name: 'ball', shape: { type: 'sphere', radius: 0.1 }, position: [0.5, 1, 0] }], joints: [{ name: 'pin', type: 'hinge', child: 'ball', at: [0, 1, 0], axis: [0, 0, 1] }] }) });
  await expect.poll(async () => (await state(page)).scene_name).toBe('lever.json');
  const meshes = await page.evaluate(() => {
    let n = 0;
    (window as any).studio.stage.links.traverse((o: any) => o.isMesh && ++n);
    return n;
  });
  expect(meshes).toBe(2);
  await picture(page, `lever-${transport}`);
});

test('a body becomes kinematic and moves by key frames', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await ask(page, 'load', { name: 'rod.json', text: rod });
  await page.locator('.tree .row', { hasText: 'ball' }).click();
  // what it weighs is told where nothing is typed
  await expect(page.getByLabel('Mass', { exact: true })).toHaveAttribute('placeholder', /14\.84 kg/);
  await page.getByLabel('Motion', { exact: true }).selectOption('kinematic');
  await page.getByLabel('Moves by').selectOption('keyframes');
  const keys = async () => (await store(page, 'scene.document')).bodies[1].keyframes;
  await expect.poll(keys).toHaveLength(1);
  // later and elsewhere: another key frame
  await ask(page, 'step', { count: 60 });
  await page.getByRole('button', { name: /Key frame here/ }).click();
  await expect.poll(keys).toHaveLength(2);
  await ask(page, 'undo');
  await ask(page, 'seek', { step: 0 });
  await expect.poll(keys).toHaveLength(1);
  await page.getByLabel('Time 1', { exact: true }).fill('0 s');
  await page.getByLabel('Time 1', { exact: true }).press('Enter');
  await ask(page, 'edit', { label: 'keys', ops: [{ op: 'set', path: ['bodies', 'ball', 'keyframes'], value: [{ t: 0, position: [0.8, 1, -0.2] }, { t: 1, position: [0.8, 2, -0.2] }] }] });
  await expect(page.getByLabel('Position 2 y')).toHaveValue('2');
  await page.getByLabel('Position 2 y').fill('3');
  await page.getByLabel('Position 2 y').press('Enter');
  await expect.poll(async () => (await keys())[1].position[1]).toBe(3);
  await picture(page, `kinematic-${transport}`);
  await ask(page, 'step', { count: 60 });
  await expect.poll(async () => (await pose(page, 'ball'))[1]).toBeCloseTo(3, 4);
  await ask(page, 'seek', { step: 0 });
  await page.getByLabel('Motion', { exact: true }).selectOption('static');
  await expect.poll(async () => (await store(page, 'scene.document')).bodies[1].keyframes).toBeUndefined();
});
