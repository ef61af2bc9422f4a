// What somebody meets who has not read anything: dragging without a tool, driving a joint, opening the
// wrong file, hiding what is in the way, reading curves as numbers, hearing contacts.
import { ask, command, expect, picture, pixel, pose, settled, state, store, test, visit } from './kit';
import type { Page } from '@playwright/test';

const drag = async (page: Page, from: [number, number], to: [number, number]) => {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 6 });
  await page.mouse.up();
};
const two = { tenon: 1, bodies: [{ name: 'floor', shape: { type: 'plane' } }, { name: 'crate', shape: { type: 'box', size: [0.4, 0.4, 0.4] }, position: [0, 0.2, 0] }, { name: 'rod', shape: { type: 'box', size: [0.1, 1, 0.1] }, position: [1.2, 1.2, 0] }] };
const open = async (page: Page, scene: object = two, name = 'two.json') => {
  await ask(page, 'load', { text: JSON.stringify(scene), name });
  await expect.poll(async () => (await state(page)).scene_name).toBe(name);
};

test('a body is dragged without any tool: free ones slide on what lies below, jointed ones lead their mechanism', async ({ page, studio }) => {
  await visit(page, studio);
  await open(page);
  const crate = await pose(page, 'crate');
  // in a parallel view: along its plane, and nothing else moves
  const target = await page.evaluate(() => (window as any).studio.views.views[0].target.toArray());
  await drag(page, await pixel(page, 0, crate), await pixel(page, 0, [0.6, 0.8, 0]));
  await expect.poll(async () => (await pose(page, 'crate'))[0]).toBeGreaterThan(0.4);
  expect((await pose(page, 'crate'))[1]).toBeGreaterThan(0.5);
  expect(await page.evaluate(() => (window as any).studio.views.views[0].target.toArray())).toEqual(target);
  expect((await state(page)).undo).toContain('Move');
  // in the camera view: onto the floor
  await drag(page, await pixel(page, 3, await pose(page, 'crate')), await pixel(page, 3, [0, 0, 0.8]));
  await expect.poll(async () => (await pose(page, 'crate'))[1]).toBeCloseTo(0.2, 4);
  // a shape out of the rail, to where it is let go; and the number that is typed while the gizmo is held
  const tool = (await page.locator('[data-tool="sphere"]').boundingBox())!;
  await drag(page, [tool.x + 10, tool.y + 10], await pixel(page, 0, [-0.6, 0.8, 0]));
  await expect.poll(() => store(page, 'selection')).toEqual(['sphere']);
  await expect.poll(async () => (await pose(page, 'sphere'))[0]).toBeCloseTo(-0.6, 1); // told after what is selected
  const sphere = await pose(page, 'sphere');
  const handle: [number, number] = await page.evaluate(() => {
    const { views, store } = (window as any).studio;
    const [x, y, z] = store.pose('sphere');
    const [px, py] = (window as any).studio.pixel(0, x, y, z);
    return [px + 0.5 * 0.85 * 0.25 * views.views[0].height, py]; // on the arrow along x
  });
  await page.mouse.move(...handle);
  await page.mouse.down();
  await page.mouse.move(handle[0] + 6, handle[1]);
  for (const key of ['x', '0', '.', '2', '5', 'Enter']) await page.keyboard.press(key);
  await page.mouse.up();
  await expect.poll(async () => (await pose(page, 'sphere'))[0]).toBeCloseTo(sphere[0] + 0.25, 5);
  // a ball of the cradle hangs on two strings and comes from an array: both are seen to
  await ask(page, 'load', { gallery: 'cradle' });
  await expect.poll(async () => (await state(page)).scene_name).toBe('cradle.json');
  const ball = await pose(page, 'ball_4');
  await drag(page, await pixel(page, 0, ball), await pixel(page, 0, [ball[0] + 0.05, ball[1] + 0.02, 0]));
  await expect.poll(async () => (await pose(page, 'ball_4'))[0]).toBeGreaterThan(ball[0] + 0.02);
  expect((await ask(page, 'text')).text).toContain('"1/240"'); // what was written stays so
});

test('a hinge is where the body was clicked, gets a motor and another place, and turns', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await open(page);
  await page.locator('canvas.view').focus();
  await page.keyboard.press('c');
  await page.keyboard.press('5');
  await page.mouse.move(...(await pixel(page, 0, [1.2, 1.69, 0])));
  await page.mouse.click(...(await pixel(page, 0, [1.2, 1.69, 0]))); // near the upper end, which it snaps to
  await page.mouse.click(...(await pixel(page, 0, [0.4, 1.6, 0]))); // the world
  await expect.poll(() => store(page, 'scene.joints.length')).toBe(1);
  const joint = (await store(page, 'scene.joints'))[0];
  const place = joint.a === 'world' ? joint.pa : joint.pb;
  expect(place[0]).toBeCloseTo(1.2, 4);
  expect(place[1]).toBeCloseTo(1.7, 4);
  expect(place[2]).toBeCloseTo(0, 4); // the middle plane, not the surface that was clicked
  await page.getByLabel('Motor', { exact: true }).selectOption('velocity');
  await page.getByLabel('Target', { exact: true }).fill('30 rpm');
  await page.keyboard.press('Enter');
  await page.getByLabel('Largest torque', { exact: true }).fill('200 N m');
  await page.keyboard.press('Enter');
  await page.getByLabel('Place y').fill('1.2');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await ask(page, 'text')).text).toContain('30 rpm');
  await expect.poll(async () => (await ask(page, 'text')).text).toContain('200 N m');
  await picture(page, `hinge-${transport}`);
  await ask(page, 'step', { count: 30 });
  await expect.poll(async () => (await state(page)).end).toBe(30);
  const rate = (await ask(page, 'series', { quantities: [`joint:${joint.name}.rate`], from: 30, to: 30 })).values[0][0];
  expect(Math.abs(rate)).toBeCloseTo(Math.PI, 2);
  await expect(page.locator('[data-live]')).toContainText('force');
  // another kind at the same place
  await ask(page, 'seek', { step: 0 });
  await page.getByLabel('Type', { exact: true }).selectOption('slider');
  await expect.poll(async () => (await store(page, 'scene.joints'))[0].type).toBe('slider');
  expect((await ask(page, 'text')).text).not.toContain('motor');
});

test('a file that is no scene changes nothing; work that something was opened over is found again', async ({ page, studio }) => {
  await visit(page, studio);
  await open(page);
  await ask(page, 'edit', { ops: [{ op: 'set', path: ['bodies', 'crate', 'material'], value: 'iron' }], label: 'iron' });
  const drop = (name: string, text: string) =>
    page.evaluate(([n, x]) => {
      const data = new DataTransfer();
      data.items.add(new File([x], n));
      document.querySelector('canvas.view')!.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, clientX: 500, clientY: 300 }));
    }, [name, text]);
  for (const [name, text] of [['broken.json', '{"tenon": 1, "bodies": ['], ['other.json', '{"version": 3}'], ['empty.json', ''], ['table.csv', 't,body,x\n0,ground,1\n']]) {
    await drop(name, text);
    await expect(page.locator('.toast.error').last()).toBeVisible();
    expect((await state(page)).scene_name).toBe('two.json');
    expect((await state(page)).undo).toContain('iron');
  }
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await expect.poll(async () => (await state(page)).bodies).toBe(1);
  await command(page, 'earlier work');
  await page.locator('[data-work="two.json"]').first().click();
  await expect.poll(async () => (await state(page)).scene_name).toBe('two.json');
  expect((await ask(page, 'text')).text).toContain('"iron"');
});

test('bodies are hidden and locked, which a reload keeps and the file does not have; the tree is asked by types', async ({ page, studio }) => {
  await visit(page, studio);
  await open(page);
  await page.locator('.tree .row', { hasText: 'crate' }).click();
  await page.locator('canvas.view').focus();
  const pick = async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.mouse.click(...(await pixel(page, 0, [0, 0.2, 0])));
    return store(page, 'selection');
  };
  expect(await pick()).toEqual(['crate']);
  await page.keyboard.press('h');
  expect(await pick()).toEqual([]);
  await page.keyboard.press('Alt+h');
  expect(await pick()).toEqual(['crate']);
  await page.keyboard.press('Shift+H');
  expect(await pick()).toEqual([]);
  await page.locator('.tree .row', { hasText: 'rod' }).hover();
  await page.locator('.tree .row', { hasText: 'rod' }).locator('[data-mark="hidden"]').click();
  await expect.poll(() => page.evaluate(() => [...(window as any).studio.store.hidden])).toEqual(['rod']);
  expect((await ask(page, 'text')).text).not.toMatch(/hidden|locked/);
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('tenon.work:')).map((key) => JSON.parse(localStorage.getItem(key)!).marks?.hidden)[0])).toEqual(['rod']);
  await page.reload();
  await expect(page.locator('body[data-ready=true]')).toBeAttached();
  await expect.poll(() => page.evaluate(() => [...(window as any).studio.store.hidden])).toEqual(['rod']);
  expect(await page.evaluate(() => [...(window as any).studio.store.locked])).toEqual(['crate']);
  // the tree
  await page.getByRole('searchbox').first().fill('type:plane');
  await expect(page.locator('.tree .row')).toHaveCount(1);
  await expect(page.locator('.tree .row')).toContainText('floor');
});

test('curves are read as a table and saved as a picture; contacts click, a body hums', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await ask(page, 'load', { gallery: 'cradle' });
  await expect.poll(async () => (await state(page)).scene_name).toBe('cradle.json');
  await page.locator('.tree .row', { hasText: 'ball_0' }).first().click();
  await page.locator('canvas.view').focus();
  await page.keyboard.press('Shift+G');
  await page.keyboard.press('Alt+s');
  await expect(page.locator('.toast').last()).toContainText('Sound is on');
  await page.keyboard.press(' ');
  await expect.poll(() => page.evaluate(() => (window as any).studio.sound.clicks), { timeout: 60_000 }).toBeGreaterThan(0);
  await expect.poll(() => page.evaluate(() => (window as any).studio.sound.tone)).toBeGreaterThan(100);
  await page.keyboard.press('k');
  await settled(page);
  await page.locator('[data-action="table"]').click();
  const table = page.locator('dialog table');
  await expect(table.locator('thead th')).toHaveCount(5);
  expect(await table.locator('tbody tr').count()).toBeGreaterThan(20);
  await picture(page, `table-${transport}`);
  await page.keyboard.press('Escape');
  const saved = page.waitForEvent('download');
  await page.locator('[data-action="png"]').click();
  expect((await saved).suggestedFilename()).toBe('plots.png');
  // higher by keys
  const before = (await page.locator('canvas.plots').boundingBox())!.height;
  await page.getByRole('separator', { name: 'Height of the curves' }).focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(async () => (await page.locator('canvas.plots').boundingBox())!.height).toBeGreaterThan(before);
  await picture(page, `curves-${transport}`);
});

test('scenes of the gallery come with a question, and the answer is shown', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await page.getByRole('button', { name: 'Gallery', exact: true }).click();
  await page.locator('.card[data-scene="aero/slip-to-roll"]').click();
  await expect(page.locator('.question')).toContainText('rolling');
  await page.locator('.question [data-do="show"]').click();
  await expect.poll(() => store(page, 'syncs.length')).toBe(1);
  await picture(page, `question-${transport}`);
  // the classical answer: 5/7 of the speed, and from then on without slip
  const { values } = await ask(page, 'series', { quantities: ['body:sphere.speed'], from: (await state(page)).end, to: (await state(page)).end });
  expect(values[0][0]).toBeCloseTo((5 / 7) * 2, 2);
  // every question is about something that its scene has
  const names: string[] = await page.evaluate(() => Object.keys((window as any).studio.questions));
  expect(names.length).toBeGreaterThan(15);
  for (const name of names) {
    await ask(page, 'load', { gallery: name });
    const curves: string[] = await page.evaluate((n) => (window as any).studio.questions[n].curves, name);
    const answer = await ask(page, 'series', { quantities: curves, from: 0, to: 0 });
    expect(answer.values.flat().every((v: unknown) => typeof v === 'number'), `${name}: ${JSON.stringify(answer.values)}`).toBe(true);
  }
});

test('what is marked in a field stays marked when the scene is told again, so that typing replaces it', async ({ page, studio }) => {
  await visit(page, studio);
  await open(page);
  await page.locator('.tree .row', { hasText: 'crate' }).click();
  const field = page.getByLabel('Position y', { exact: true });
  await field.focus();
  await page.keyboard.press('Control+a');
  // somebody else's change comes in between: all fields are made anew
  await ask(page, 'edit', { ops: [{ op: 'set', path: ['bodies', 'rod', 'material'], value: 'wood' }], label: 'wood' });
  await expect.poll(() => page.evaluate(() => (window as any).studio.store.body('rod').material)).toBe('wood');
  await page.keyboard.type('0.75');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await pose(page, 'crate'))[1]).toBeCloseTo(0.75, 6);
});

test('a link opens the same view of another scene than the one that everybody begins with', async ({ page, studio, browser }) => {
  await visit(page, studio);
  await open(page);
  await ask(page, 'step', { count: 5 });
  await page.locator('canvas.view').focus();
  const at = (p: Page) => p.evaluate(() => { const v = (window as any).studio.views.views[3]; return [v.yaw, v.pitch, v.span, ...v.target.toArray()].map((x: number) => x.toFixed(6)); });
  const [x, y] = await pixel(page, 3, [0.2, 1.5, -1]);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -300);
  await drag(page, [x, y], [x + 70, y + 30]);
  const seen = await at(page);
  await page.keyboard.press('Control+Alt+c');
  await expect.poll(() => page.evaluate(() => document.body.dataset.link ?? '')).toContain('#s=');
  const link = (await page.evaluate(() => document.body.dataset.link))!;
  const other = await (await browser.newContext({ viewport: { width: 1200, height: 760 } })).newPage();
  await other.goto(link);
  await expect(other.locator('body[data-ready=true]')).toBeAttached();
  expect((await state(other)).scene_name).toBe('two.json');
  expect((await state(other)).step).toBe(5);
  await expect.poll(() => at(other)).toEqual(seen);
  await expect(other.locator('.first-hint')).toHaveCount(0); // they are about another scene
  await other.context().close();
});
