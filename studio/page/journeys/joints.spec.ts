// Joints and connections in the inspector: what they are, where they are, what drives them; and how
// a mechanism is posed by its joints.
import { ask, expect, picture, pose, settled, state, store, test, visit } from './kit';
import type { Page } from '@playwright/test';

const arm = JSON.stringify({
  tenon: 1,
  world: { gravity: [0, 0, 0] },
  bodies: [
    { name: 'upper', shape: { type: 'box', size: [0.1, 1, 0.1] }, position: [0, 1.5, 0] },
    { name: 'lower', shape: { type: 'box', size: [0.1, 1, 0.1] }, position: [0, 0.5, 0] },
  ],
  joints: [
    { name: 'shoulder', type: 'hinge', child: 'upper', at: [0, 2, 0], axis: [0, 0, 1] },
    { name: 'elbow', type: 'hinge', parent: 'upper', child: 'lower', at: [0, '1 m', 0], axis: [0, 0, 1], limits: ['-100 deg', '100 deg'] },
  ],
});
const open = async (page: Page, text: string, joint: string) => {
  await ask(page, 'load', { name: 'arm.json', text });
  await page.locator('.tree .row', { hasText: joint }).click();
  await expect.poll(() => store(page, 'selection')).toEqual([joint]);
};
const entry = async (page: Page, name: string, section = 'joints') => (await store(page, 'scene.document'))[section].find((e: any) => e.name === name);
const type = async (page: Page, label: string, text: string) => {
  await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByLabel(label, { exact: true }).press('Enter');
};

test('a hinge gets a motor, a spring, limits and another axis, each an edit that is undone', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await open(page, arm, 'elbow');
  // written in degrees, shown as such
  await expect(page.getByLabel('Limits min')).toHaveValue('-100');
  await type(page, 'Limits max', '90');
  await expect.poll(async () => (await entry(page, 'elbow')).limits).toEqual(['-100 deg', '90 deg']);
  await page.getByLabel('Motor', { exact: true }).selectOption('velocity');
  await expect.poll(async () => (await entry(page, 'elbow')).motor).toEqual({ velocity: 6 });
  // one field after the other by Tab, without waiting for the first
  await page.getByLabel('Target', { exact: true }).fill('30 rpm');
  await page.keyboard.press('Tab');
  await page.keyboard.type('50');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await entry(page, 'elbow')).motor).toEqual({ velocity: '30 rpm', max: 50 });
  await picture(page, `joint-motor-${transport}`);
  // it turns until the limit, and the slider shows the angle
  await page.locator('canvas.view').focus();
  await ask(page, 'step', { count: 30 });
  await expect.poll(async () => Number(await page.getByLabel('Angle (deg)').inputValue())).toBeGreaterThan(60);
  await ask(page, 'step', { count: 60 });
  await expect.poll(async () => Number(await page.getByLabel('Angle (deg)').inputValue())).toBeCloseTo(90, 1);

  // in mid-run another motor: a new take goes on from there
  await page.getByLabel('Motor', { exact: true }).selectOption('position');
  await expect.poll(async () => (await entry(page, 'elbow')).motor).toEqual({ position: 0, max: 50 });
  await type(page, 'Target', '-45');
  await expect.poll(async () => (await entry(page, 'elbow')).motor).toEqual({ position: '-45 deg', max: 50 });
  await ask(page, 'step', { count: 200 });
  await expect.poll(async () => Number(await page.getByLabel('Angle (deg)').inputValue())).toBeCloseTo(-45, 0);
  expect((await state(page)).edits).toBeGreaterThan(4);

  // back at the start: spring, place, axis
  await ask(page, 'seek', { step: 0 });
  await expect.poll(async () => (await state(page)).step).toBe(0);
  await page.getByLabel('Motor', { exact: true }).selectOption('off');
  await expect.poll(async () => (await entry(page, 'elbow')).motor).toBeUndefined();
  await type(page, 'Stiffness', '12');
  await expect.poll(async () => (await entry(page, 'elbow')).spring).toEqual({ stiffness: 12 });
  await type(page, 'At rest', '20');
  await expect.poll(async () => (await entry(page, 'elbow')).spring).toEqual({ stiffness: 12, rest: '20 deg' });
  await type(page, 'Friction', '0.5');
  await expect.poll(async () => (await entry(page, 'elbow')).friction).toBe(0.5);
  // a place that was written stays as it was written
  await type(page, 'Place x', '2 cm');
  await expect.poll(async () => (await entry(page, 'elbow')).at).toEqual(['2 cm', '1 m', 0]);
  await type(page, 'On lower y', '0.4');
  await expect.poll(async () => (await entry(page, 'elbow')).child_frame?.position).toEqual([0.02, 0.4, 0]);
  expect((await entry(page, 'elbow')).at).toBeUndefined();
  await type(page, 'Axis x', '1');
  await expect.poll(async () => (await store(page, 'scene.joints')).find((j: any) => j.name === 'elbow').qa.map((x: number) => Math.round(1000 * x))).not.toEqual([707, 0, -707, 0]);
  await ask(page, 'undo');
  await ask(page, 'undo');
  await expect.poll(async () => (await entry(page, 'elbow')).at).toEqual(['2 cm', '1 m', 0]);
});

test('a hinge becomes a ball joint with what both have, and its bodies are others', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await open(page, arm, 'elbow');
  await page.getByLabel('Type', { exact: true }).selectOption('point');
  await expect.poll(async () => (await entry(page, 'elbow')).limits).toEqual({ rx: ['-100 deg', '100 deg'] });
  await expect(page.getByLabel('Swing at most')).toBeVisible();
  await picture(page, `joint-ball-${transport}`);
  await page.getByLabel('Type', { exact: true }).selectOption('slider');
  await expect.poll(async () => (await entry(page, 'elbow')).limits).toBeUndefined();
  await page.getByLabel('Motor', { exact: true }).selectOption('force');
  await expect.poll(async () => (await entry(page, 'elbow')).motor).toEqual({ force: 1 });
  await ask(page, 'undo');
  await ask(page, 'undo');
  await ask(page, 'undo');
  await expect.poll(async () => (await entry(page, 'elbow')).type).toBe('hinge');
  // hangs on the world, at the same place
  await page.getByLabel('Parent', { exact: true }).selectOption('world');
  await expect.poll(async () => (await store(page, 'scene.joints')).find((j: any) => j.name === 'elbow').a).toBe('world');
  expect((await store(page, 'scene.joints')).find((j: any) => j.name === 'elbow').pa[1]).toBeCloseTo(1, 6);
  // what is wrong is said where it was typed
  await type(page, 'Breaks at', '3 m');
  await expect(page.locator('.field', { hasText: 'Breaks at' }).first().locator('.problem')).toContainText('force');
});

test('a slider poses one joint of an arm, and a mechanism that closes follows its crank', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await open(page, arm, 'elbow');
  const angle = page.getByRole('slider', { name: 'Angle' });
  const before = await pose(page, 'upper');
  const box = (await angle.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.8 * box.width, box.y + box.height / 2, { steps: 6 });
  await page.mouse.up();
  await settled(page);
  await expect.poll(async () => (await state(page)).edits).toBe(1);
  const shown = Number(await page.getByLabel('Angle (deg)').inputValue());
  expect(shown).toBeGreaterThan(40);
  const lower = await pose(page, 'lower');
  expect(lower[0]).toBeCloseTo(0.5 * Math.sin((shown * Math.PI) / 180), 3);
  expect(await pose(page, 'upper')).toEqual(before);
  await picture(page, `joint-posed-${transport}`);
  // beyond its limits it does not go, and says so
  await page.getByLabel('Angle (deg)').fill('150');
  await page.getByLabel('Angle (deg)').press('Enter');
  await expect.poll(async () => Number(await page.getByLabel('Angle (deg)').inputValue())).toBeCloseTo(100, 1);
  await expect.poll(async () => (await state(page)).edits).toBe(2);
  await ask(page, 'undo');
  await ask(page, 'undo');
  await expect.poll(async () => (await pose(page, 'lower'))[0]).toBeCloseTo(0, 5);

  await ask(page, 'load', { gallery: 'slider-crank' });
  await page.locator('.tree .row', { hasText: 'shaft' }).click();
  await expect(page.getByLabel('Motor', { exact: true })).not.toHaveValue('off');
  const piston = (await store(page, 'scene.bodies')).map((b: any) => b.name);
  const start = await Promise.all(piston.map((n: string) => pose(page, n)));
  await page.getByLabel('Angle (deg)').fill('40');
  await page.getByLabel('Angle (deg)').press('Enter');
  await expect.poll(async () => (await state(page)).edits).toBe(1);
  const after = await Promise.all(piston.map((n: string) => pose(page, n)));
  expect(after.filter((p, i) => Math.hypot(p[0] - start[i][0], p[1] - start[i][1]) > 1e-3).length).toBeGreaterThan(1);
  await picture(page, `joint-crank-${transport}`);
});

test('a gear is in the tree, and its ratio is a field', async ({ page, studio }) => {
  await visit(page, studio);
  const wheels = { tenon: 1, bodies: [0, 1].map((i) => ({ name: `wheel ${i}`, shape: { type: 'cylinder', radius: 0.2, height: 0.05 }, position: [0.5 * i, 1, 0], orientation: { euler_deg: [90, 0, 0] } })), joints: [...[0, 1].map((i) => ({ name: `shaft ${i}`, type: 'hinge', child: `wheel ${i}`, axis: [0, 0, 1] })), { name: 'teeth', type: 'gear', first: 'shaft 0', second: 'shaft 1', ratio: 2 }] };
  await open(page, JSON.stringify(wheels), 'teeth');
  await expect(page.getByLabel('First joint')).toHaveValue('shaft 0');
  await type(page, 'Ratio', '1/2');
  await expect.poll(async () => (await entry(page, 'teeth')).ratio).toBe('1/2');
  // a joint that is geared takes the other along
  await page.locator('.tree .row', { hasText: 'shaft 0' }).click();
  await page.getByLabel('Angle (deg)').fill('30');
  await page.getByLabel('Angle (deg)').press('Enter');
  await expect.poll(async () => (await state(page)).edits).toBe(2);
  await page.locator('.tree .row', { hasText: 'shaft 1' }).click();
  await expect.poll(async () => Number(await page.getByLabel('Angle (deg)').inputValue())).toBeCloseTo(-60, 0);
});

// a robot of three links, as other programs write it
const link = (name: string) => `<link name="${name}"><visual><origin xyz="0 0 0.2"/><geometry><box size="0.08 0.08 0.4"/></geometry></visual><inertial><origin xyz="0 0 0.2"/><mass value="1"/><inertia ixx="0.02" iyy="0.02" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>`;
const robot = `<robot name="robot"><link name="base"/>${['one', 'two', 'three'].map(link).join('')}
${[['base', 'one', 0], ['one', 'two', 0.4], ['two', 'three', 0.4]].map(([a, b, z], i) => `<joint name="j${i + 1}" type="revolute"><parent link="${a}"/><child link="${b}"/><origin xyz="0 0 ${z}"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="50" velocity="5"/></joint>`).join('')}</robot>`;

test('an imported robot is posed by sliders and held by motors', async ({ page, studio, transport }) => {
  test.skip(transport === 'worker', 'models are imported by the server');
  await visit(page, studio);
  await page.locator('canvas.view').focus();
  await page.keyboard.press('Control+i');
  await page.locator('[data-chooser="files"]').setInputFiles([{ name: 'robot.urdf', mimeType: 'text/plain', buffer: Buffer.from(robot) }]);
  await expect.poll(async () => (await state(page)).scene_name).toBe('robot.json');
  const wanted: Record<string, number> = { j1: 30, j2: 45, j3: -60 };
  const angle = () => page.getByLabel('Angle (deg)').inputValue().then(Number);
  for (const [joint, degrees] of Object.entries(wanted)) {
    await page.locator('.tree .row', { hasText: joint }).click();
    await page.getByLabel('Angle (deg)').fill(String(degrees));
    await page.getByLabel('Angle (deg)').press('Enter');
    await expect.poll(async () => (await state(page)).undo).toContain(joint);
    // a motor holds it there
    await page.getByLabel('Motor', { exact: true }).selectOption('position');
    await expect.poll(async () => (await entry(page, joint)).motor).toEqual({ position: 0 });
    await type(page, 'Target', String(degrees));
    await expect.poll(async () => (await entry(page, joint)).motor).toEqual({ position: `${degrees} deg` });
    await type(page, 'Briskness', '20');
    await expect.poll(async () => (await entry(page, joint)).motor.frequency).toBe(20);
  }
  await picture(page, `robot-${transport}`);
  // each left the others as they were: the tip is where the three angles put it
  const sum = [30, 75, 15].map((x) => (x * Math.PI) / 180);
  const three = await pose(page, 'three');
  expect(Math.hypot(three[0], three[2])).toBeCloseTo(0.4 * Math.sin(sum[0]) + 0.4 * Math.sin(sum[1]), 4);
  await ask(page, 'step', { count: 120 });
  for (const [joint, degrees] of Object.entries(wanted)) {
    await page.locator('.tree .row', { hasText: joint }).click();
    // the motor gives way a little under the weight: (g / (2 pi f)^2) / l, a degree or two
    await expect.poll(angle).toBeGreaterThan(degrees - 3);
    expect(await angle()).toBeLessThan(degrees + 3);
  }
});
