// Files of other programs: models, motions and meshes, chosen or dropped.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, expect, here, picture, pixel, pose, state, store, test, visit } from './kit';
import type { Page } from '@playwright/test';

const urdf = `<robot name="arm">
  <link name="base"><visual><geometry><box size="0.4 0.4 0.1"/></geometry></visual><collision><geometry><box size="0.4 0.4 0.1"/></geometry></collision><inertial><mass value="5"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="upper"><visual><geometry><mesh filename="package://arm/meshes/link.obj"/></geometry></visual><inertial><origin xyz="0 0 0.3"/><mass value="1"/><inertia ixx="0.03" iyy="0.03" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.05"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="10" velocity="5"/></joint>
</robot>`;
// A box of 0.1 by 0.1 by 0.6 metres; a closed surface.
const obj = (scale: number) => {
  const v = [];
  for (const x of [-0.05, 0.05]) for (const y of [-0.05, 0.05]) for (const z of [0, 0.6]) v.push(`v ${x * scale} ${y * scale} ${z * scale}`);
  const quads = [[1, 2, 4, 3], [5, 7, 8, 6], [1, 5, 6, 2], [3, 4, 8, 7], [1, 3, 7, 5], [2, 6, 8, 4]];
  return v.join('\n') + '\n' + quads.map((q) => `f ${q.join(' ')}`).join('\n') + '\n';
};
const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
async function choose(page: Page, ...files: ReturnType<typeof file>[]) {
  await page.locator('canvas.view').focus();
  await page.keyboard.press('Control+i');
  await page.locator('[data-chooser="files"]').setInputFiles(files);
}
// As a person does with the file manager.
async function drop(page: Page, name: string, text: string, at: [number, number]) {
  await page.evaluate(
    ([n, content, x, y]) => {
      const data = new DataTransfer();
      data.items.add(new File([content as string], n as string));
      const target = document.elementFromPoint(x as number, y as number)!;
      for (const type of ['dragover', 'drop']) target.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true, clientX: x as number, clientY: y as number }));
    },
    [name, text, ...at] as const,
  );
}

async function corner(page: Page): Promise<[number, number]> {
  const box = (await page.locator('canvas.view').boundingBox())!;
  return [box.x + 0.15 * box.width, box.y + 0.15 * box.height];
}

test('a robot with its mesh becomes a scene, or the page says who can do that', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await choose(page, file('arm.urdf', urdf), file('link.obj', obj(1)));
  if (transport === 'worker') {
    await expect(page.getByRole('dialog')).toContainText('tenon import arm.urdf');
    return;
  }
  await expect.poll(async () => (await state(page)).scene_name).toBe('arm.json');
  expect((await store(page, 'scene.joints')).map((j: any) => j.name)).toContain('shoulder');
  expect(await store(page, 'scene.meshes.length')).toBe(1);
  await page.locator('.toast button', { hasText: 'What became of it' }).click();
  await expect(page.getByRole('dialog')).toContainText("URDF 'arm': 3 bodies");
  await page.keyboard.press('Escape');
  await ask(page, 'step', { count: 20 });
  await picture(page, `urdf-${transport}`);
});

test('a motion becomes a figure', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await choose(page, file('arm.bvh', readFileSync(join(here, '../../../tests/fuzz/seeds_motion/arm.bvh'), 'utf8')));
  await expect.poll(async () => (await state(page)).scene_name).toBe('arm.json');
  expect((await state(page)).bodies).toBeGreaterThan(2);
  await picture(page, `bvh-${transport}`);
});

test('a mesh is dropped into the scene, is back after a reload, and falls', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await expect.poll(async () => (await state(page)).bodies).toBe(1);
  await drop(page, 'post.obj', obj(1), await pixel(page, 0, [0.5, 0.8, 0]));
  await expect.poll(async () => (await store(page, 'selection'))[0]).toBe('post');
  expect((await pose(page, 'post'))[0]).toBeCloseTo(0.5, 1);
  const high = (await pose(page, 'post'))[1];
  // 0.1 by 0.1 by 0.6 metres of plastic
  await expect.poll(async () => (await store(page, 'scene.bodies'))[1].mass).toBeCloseTo(6.3, 6);
  await page.waitForTimeout(900);
  if (transport === 'server') await page.evaluate(() => sessionStorage.clear()); // as a new window does
  await page.reload();
  await expect(page.locator('body[data-ready=true]')).toBeAttached();
  await expect.poll(async () => (await state(page)).bodies).toBe(2);
  expect(await store(page, 'scene.errors.length')).toBe(0);
  await ask(page, 'step', { count: 20 });
  await expect.poll(async () => (await pose(page, 'post'))[1]).toBeLessThan(high - 0.05);
  await ask(page, 'seek', { step: 0 });
  // one that is in millimetres is told to be large, and mended by one click
  await drop(page, 'big.obj', obj(1000), await corner(page));
  await page.locator('.toast button', { hasText: 'It is in millimetres' }).click();
  await expect.poll(async () => (await store(page, 'scene.bodies'))[2]?.mass).toBeCloseTo(6.3, 6);
  expect((await pose(page, 'big'))[1]).toBeLessThan(3);
  await picture(page, `meshes-${transport}`);
  // what is nothing is said to be nothing
  await drop(page, 'notes.txt', 'hello', await corner(page));
  await expect(page.locator('.toast.error')).toContainText('notes.txt');
});

test('two takes are seen side by side by one camera', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await ask(page, 'load', { name: 'fall.json', text: JSON.stringify({ tenon: 1, bodies: [{ name: 'floor', shape: { type: 'plane' } }, { name: 'ball', shape: { type: 'sphere', radius: 0.3 }, position: [0, 2, 0], material: 'rubber' }] }) });
  await page.locator('canvas.view').focus();
  await page.keyboard.press('Shift+Q');
  await expect(page.locator('.toast.error')).toContainText('one take only');
  await ask(page, 'step', { count: 60 });
  await ask(page, 'seek', { step: 10 });
  await ask(page, 'edit', { label: 'Iron', ops: [{ op: 'set', path: ['bodies', 'ball', 'material'], value: 'iron' }, { op: 'set', path: ['bodies', 'ball', 'velocity'], value: [1, 0, 0] }] });
  await ask(page, 'step', { count: 40 });
  await page.waitForTimeout(700); // drawn
  await page.keyboard.press('Control+a');
  await page.keyboard.press('f');
  await page.keyboard.press('Shift+Q');
  await expect(page.locator('body')).toHaveAttribute('data-split', 'true');
  await expect(page.locator('.compare-label').nth(0)).toContainText('Iron');
  await expect(page.locator('.compare-label').nth(1)).toContainText('First take');
  await expect.poll(() => page.evaluate(() => (window as any).studio.store.ghostFrame?.step)).toBe(50);
  await ask(page, 'seek', { step: 40 });
  // the other take, at the same instant: not pushed aside
  await expect.poll(() => page.evaluate(() => (window as any).studio.store.ghostFrame?.step)).toBe(40);
  expect(await page.evaluate(() => (window as any).studio.store.ghostFrame.poses[7])).toBeCloseTo(0, 5);
  await page.waitForTimeout(400);
  await picture(page, `compare-${transport}`);
  await page.getByRole('button', { name: 'Light or dark' }).click();
  await page.waitForTimeout(400);
  await picture(page, `compare-light-${transport}`);
  // the takes change sides: nothing is beside itself
  await page.locator('canvas.view').focus();
  await page.keyboard.press('Shift+Q');
  await expect(page.locator('body')).toHaveAttribute('data-split', 'false');
});
