// What a scene is made of many times: prefabs, materials and their pairs.
import { ask, command, expect, picture, pixel, pose, state, store, test, visit } from './kit';

const pendulum = JSON.stringify({
  tenon: 1,
  bodies: [
    { name: 'floor', shape: { type: 'plane' } },
    { name: 'hook', shape: { type: 'fixed_point' }, position: [0, 1, 0] },
    { name: 'bob', shape: { type: 'sphere', radius: '10 cm' }, position: [0.5, 1, 0], material: 'iron' },
    { name: 'crate', shape: { type: 'box', size: [0.3, 0.3, 0.3] }, position: [-1, 0.15, 0], material: 'wood' },
  ],
  connections: [{ name: 'rod', type: 'rod', a: 'hook', b: 'bob' }],
});

test('a mechanism becomes a prefab, is placed again, moved as one, changed in all places, and broken up', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await ask(page, 'load', { name: 'pendulum.json', text: pendulum });
  await expect.poll(async () => (await state(page)).bodies).toBe(4);
  await page.locator('.tree .row', { hasText: 'hook' }).click();
  await page.locator('.tree .row', { hasText: 'bob' }).click({ modifiers: ['Shift'] });
  await page.locator('canvas.view').focus();
  await page.keyboard.press('Control+g');
  await page.getByRole('dialog').getByLabel('Name').fill('swing');
  await page.keyboard.press('Enter');
  await expect.poll(() => store(page, 'selection')).toEqual(['swing 1']);
  expect((await pose(page, 'swing 1/bob'))[0]).toBeCloseTo(0.5, 6);
  // the rod went along
  expect((await store(page, 'scene.joints')).map((j: any) => j.name)).toEqual(['swing 1/rod']);

  // another one, by a click in the front view
  await page.keyboard.press('Shift+P');
  await expect(page.locator('.drag-note')).toContainText('swing');
  await page.mouse.click(...(await pixel(page, 0, [-0.6, 0.9, 0])));
  await expect.poll(() => store(page, 'selection')).toEqual(['swing 2']);
  const before = await pose(page, 'swing 2/bob');
  const hook = await pose(page, 'swing 2/hook');
  // moved as one, by the keyboard
  await page.keyboard.press('Control+ArrowRight');
  await expect.poll(async () => (await pose(page, 'swing 2/bob'))[0]).toBeGreaterThan(before[0] + 0.005);
  const by = (await pose(page, 'swing 2/bob'))[0] - before[0];
  expect((await pose(page, 'swing 2/hook'))[0] - hook[0]).toBeCloseTo(by, 5);
  // and turned as one, about its own place
  await page.getByLabel('Turn (deg) y').fill('90');
  await page.getByLabel('Turn (deg) y').press('Enter');
  await expect.poll(async () => Math.abs((await pose(page, 'swing 2/bob'))[2])).toBeGreaterThan(0.2);
  await picture(page, `prefab-${transport}`);

  // a part: what is changed in it is changed in both
  await page.locator('.tree .row', { hasText: 'swing 2' }).click();
  await page.locator('canvas.view').focus();
  await page.keyboard.press('u');
  await page.keyboard.press('PageDown');
  await expect.poll(() => store(page, 'selection')).toEqual(['swing 2/bob']);
  await expect(page.locator('.shared')).toContainText('all 2 instances');
  await page.getByLabel('Radius').fill('15 cm');
  await page.getByLabel('Radius').press('Enter');
  await expect.poll(async () => (await store(page, 'scene.bodies')).filter((b: any) => b.shape.radius === 0.15).length).toBe(2);
  await picture(page, `prefab-part-${transport}`);

  // both swing
  await ask(page, 'step', { count: 30 });
  for (const name of ['swing 1/bob', 'swing 2/bob']) await expect.poll(async () => (await pose(page, name))[1]).toBeLessThan(0.9);
  await ask(page, 'seek', { step: 0 });

  // broken up: single bodies under their own names, and undone again
  await page.locator('.tree .row', { hasText: 'swing 1' }).first().click();
  await page.locator('canvas.view').focus();
  await page.keyboard.press('Control+Shift+G');
  await expect.poll(async () => (await store(page, 'scene.bodies')).some((b: any) => b.name === 'bob' && b.own)).toBe(true);
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await store(page, 'scene.instances')).length).toBe(2);

  // fold and unfold by keys in the tree
  await page.locator('.tree .row[data-name="swing 1"]').click();
  await page.locator('.tree').focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('.tree .row[data-name="swing 1/bob"]')).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(page.locator('.tree .row[data-name="swing 1/bob"]')).toHaveCount(0);
  // an instance goes with all that is in it
  await page.locator('canvas.view').focus();
  await page.keyboard.press('Delete');
  await expect.poll(async () => (await state(page)).bodies).toBe(4);
});

test('materials are changed, made and paired, at the start and in mid-run', async ({ page, studio, transport }) => {
  await visit(page, studio);
  const slide = { tenon: 1, bodies: [{ name: 'floor', shape: { type: 'plane' }, material: 'ice' }, { name: 'block', shape: { type: 'box', size: [0.3, 0.3, 0.3] }, position: [0, 0.15, 0], velocity: [2, 0, 0], material: 'wood' }] };
  await ask(page, 'load', { name: 'slide.json', text: JSON.stringify(slide) });
  await page.locator('.tree .row', { hasText: 'block' }).click();
  await page.locator('[data-do="materials"]').click();
  const sheet = page.getByRole('region', { name: 'Materials' });
  await expect(sheet).toBeVisible();
  // combined: the geometric mean of 0.30 and 0.02
  await expect(sheet.locator('[data-pair="ice|wood"]')).toHaveText('0.0775');

  // an own one, copied from wood
  await sheet.locator('[data-do="new-material"]').click();
  await expect(sheet.getByLabel('Name', { exact: true })).toHaveValue('own material');
  await sheet.getByLabel('Name', { exact: true }).fill('felt');
  await sheet.getByLabel('Name', { exact: true }).press('Enter');
  await expect(sheet.locator('[data-own-material="felt"]')).toHaveAttribute('aria-selected', 'true');
  await sheet.getByLabel('Density').fill('0.3 g/cm^3');
  await sheet.getByLabel('Density').press('Enter');
  await expect.poll(async () => (await store(page, 'scene.materials.felt'))?.density).toBeCloseTo(300, 9);
  await sheet.getByLabel('Restitution', { exact: true }).fill('2');
  await sheet.getByLabel('Restitution', { exact: true }).press('Enter');
  await expect(sheet.locator('.problem', { hasText: 'restitution' })).toBeVisible();
  await sheet.getByLabel('Restitution', { exact: true }).fill('0.1');
  await sheet.getByLabel('Restitution', { exact: true }).press('Enter');
  await expect.poll(async () => (await store(page, 'scene.materials.felt'))?.restitution).toBe(0.1);
  await sheet.locator('[data-do="give"]').click();
  await expect.poll(async () => (await store(page, 'scene.bodies'))[1].material).toBe('felt');

  // in mid-run the pair gets a friction of its own: the block is slower from there on
  await ask(page, 'step', { count: 60 });
  const free = (await pose(page, 'block'))[0];
  await ask(page, 'seek', { step: 20 });
  await sheet.locator('[data-pair="felt|ice"]').click();
  await sheet.getByRole('textbox', { name: 'felt – ice: Sliding friction' }).fill('0.6');
  await sheet.getByRole('textbox', { name: 'felt – ice: Sliding friction' }).press('Enter');
  await expect(sheet.locator('[data-pair="felt|ice"]')).toHaveClass(/given/);
  await expect.poll(async () => (await state(page)).undo).toContain('Sliding friction');
  await picture(page, `materials-${transport}`);
  await ask(page, 'step', { count: 40 });
  expect((await pose(page, 'block'))[0]).toBeLessThan(free - 0.2);
  // taken back by the dot, and by the keyboard out of the sheet
  await sheet.getByRole('button', { name: 'Reset to the default: Sliding friction' }).click();
  await expect(sheet.locator('[data-pair="felt|ice"]')).not.toHaveClass(/given/);
  await sheet.locator('[data-pair="felt|ice"]').press('Escape');
  await expect(sheet).toBeHidden();
  await page.keyboard.press('Shift+L');
  await expect(sheet).toBeVisible();
  await page.getByRole('button', { name: 'Light or dark' }).click();
  await picture(page, `materials-light-${transport}`);
});

test('sides are pulled by handles: one side, both, in proportion, and by keys', async ({ page, studio, transport }) => {
  await visit(page, studio);
  const scene = { tenon: 1, bodies: [{ name: 'floor', shape: { type: 'plane' } }, { name: 'block', shape: { type: 'box', size: [0.4, 0.4, 0.4] }, position: [0, 0.4, 0] }, { name: 'ball', shape: { type: 'sphere', radius: 0.2 }, position: [1, 0.4, 0] }] };
  await ask(page, 'load', { name: 'sizes.json', text: JSON.stringify(scene) });
  const shape = async (i: number) => (await store(page, 'scene.bodies'))[i].shape;
  await page.locator('.tree .row', { hasText: 'block' }).click();
  await page.locator('canvas.view').focus();
  await page.keyboard.press('1');
  await page.keyboard.press('r');
  const pull = async (from: number[], to: number[], ...keys: string[]) => {
    await page.waitForTimeout(150);
    await page.mouse.move(...(await pixel(page, 0, from)));
    for (const k of keys) await page.keyboard.down(k);
    await page.mouse.down();
    await page.mouse.move(...(await pixel(page, 0, to)), { steps: 5 });
    await expect(page.locator('.drag-note')).toContainText('×');
    await picture(page, `size-${transport}`);
    await page.mouse.up();
    for (const k of keys) await page.keyboard.up(k);
  };
  // the right side: the left one stays where it is
  await pull([0.2, 0.4, 0], [0.4, 0.4, 0]);
  await expect.poll(async () => (await shape(1)).size[0]).toBeCloseTo(0.6, 2);
  const [x] = await pose(page, 'block');
  expect(x - (await shape(1)).size[0] / 2).toBeCloseTo(-0.2, 5);
  // both sides: the middle stays
  await pull([0.1, 0.6, 0], [0.1, 0.7, 0], 'Alt');
  await expect.poll(async () => (await shape(1)).size[1]).toBeCloseTo(0.6, 2);
  expect((await pose(page, 'block'))[1]).toBeCloseTo(0.4, 6);
  // in proportion
  const before = (await shape(1)).size;
  await pull([0.4, 0.4, 0], [0.6, 0.4, 0], 'Shift');
  await expect.poll(async () => (await shape(1)).size[0]).toBeGreaterThan(before[0] + 0.1);
  const after = (await shape(1)).size;
  expect(after[1] / before[1]).toBeCloseTo(after[0] / before[0], 3);
  expect(after[2] / before[2]).toBeCloseTo(after[0] / before[0], 3);
  // what is round keeps its middle; by keys
  await page.locator('.tree .row', { hasText: 'ball' }).click();
  await page.locator('canvas.view').focus();
  await page.keyboard.press('Control+ArrowRight');
  await expect.poll(async () => (await shape(2)).radius).toBeGreaterThan(0.2);
  expect((await pose(page, 'ball'))[0]).toBeCloseTo(1, 6);
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await shape(2)).radius).toBe(0.2);
});
