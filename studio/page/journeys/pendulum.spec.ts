// AERO's five-ball pendulum with its stand, from an empty scene, once by the mouse and once by the
// keyboard: built, run, scrubbed back, a ball's material changed in mid-run, played on, both takes
// compared, filmed. With TENON_TOUR=FOLDER the mouse's journey is kept as pictures of the page
// (tools/studio_tour makes the film of the README of them).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, expect, filmed, picture, pixel, pose, settled, state, test, visit } from './kit';
import type { Page } from '@playwright/test';

const store = (page: Page, what: string) => page.evaluate((w) => w.split('.').reduce((x: any, k) => x?.[k], (window as any).studio.store), what);
const kHooks = [-0.6, -0.3, 0, 0.3, 0.6]; // m; balls of 0.3 m that touch
const kTop = 1.35;
const kLow = 0.45;
const balls = ['sphere', 'sphere 2', 'sphere 3', 'sphere 4', 'sphere 5'];

// What both have built: five equal balls that touch, each on a rod, one raised, and a stand that is fixed.
async function checkBuilt(page: Page, rods: number) {
  const bodies: any[] = await store(page, 'scene.bodies');
  const round = bodies.filter((b) => b.shape.type === 'sphere');
  expect(round).toHaveLength(5);
  expect(new Set(round.map((b) => b.shape.radius)).size).toBe(1);
  expect(await store(page, 'scene.joints.length')).toBe(rods);
  const at = await Promise.all(balls.map((name) => pose(page, name)));
  for (const k of [2, 3, 4]) expect(at[k][0] - at[k - 1][0]).toBeCloseTo(2 * round[0].shape.radius, 5);
  expect(at[0][1]).toBeGreaterThan(at[1][1] + 0.05); // raised
  for (const b of bodies) if (b.shape.type === 'box') expect(b.motion, b.name).toBe('static');
}
// The first ball falls, the last one answers, those between stay. Then back, a change, and on.
async function checkSwing(page: Page, from: number[][]) {
  const { values } = await ask(page, 'series', { quantities: [`body:${balls[4]}.y`, `body:${balls[2]}.y`], to: 85 }); // before the way back
  const peak = Math.max(...values[0]);
  const then = values[0].indexOf(peak);
  // iron on iron keeps (1 + 0.8) / 2 of the speed at each of four collisions: 0.43 of the height
  expect((peak - kLow) / (from[0][1] - kLow)).toBeGreaterThan(0.3);
  expect((peak - kLow) / (from[0][1] - kLow)).toBeLessThan(0.75);
  expect(values[1][then] - kLow).toBeLessThan(0.4 * (peak - kLow));
}
async function checkTakes(page: Page, cut: number, early: string, old: string) {
  expect((await ask(page, 'hash', { step: cut - 5 })).hash).toBe(early); // the past, to the last bit
  const takes: any[] = (await store(page, 'takes')).filter((x: any) => x.own);
  expect(takes.length).toBeGreaterThanOrEqual(2);
  const active = (await state(page)).take;
  expect(await store(page, 'ghost.take')).not.toBe(active);
  await expect.poll(() => page.evaluate(() => !!(window as any).studio.store.ghost?.poses)).toBe(true);
  expect((await ask(page, 'hash', { step: (await state(page)).end })).hash).not.toBe(old);
}
async function checkFilm(page: Page, transport: string, perform: () => Promise<unknown>) {
  const bytes = readFileSync((await (await filmed(page, transport, perform)).path())!);
  expect(bytes.subarray(4, 8).toString()).toBe('ftyp');
  expect(bytes.length).toBeGreaterThan(4000);
}

// The page as a film: pictures of the browser's own screencast, each with its time, and a pointer.
async function keepTour(page: Page, folder: string | undefined) {
  if (!folder) return async () => {};
  mkdirSync(folder, { recursive: true });
  await page.evaluate(() => {
    const hand = document.createElement('div');
    hand.style.cssText = 'position:fixed;z-index:99999;width:22px;height:22px;margin:-11px 0 0 -11px;border-radius:50%;border:3px solid #f97316;background:rgb(249 115 22 / 0.25);pointer-events:none';
    document.body.append(hand);
    const follow = (e: PointerEvent) => Object.assign(hand.style, { left: `${e.clientX}px`, top: `${e.clientY}px`, transform: e.buttons ? 'scale(0.7)' : '' });
    for (const kind of ['pointermove', 'pointerdown', 'pointerup'] as const) addEventListener(kind, follow, true);
  });
  const cdp = await page.context().newCDPSession(page);
  const times: string[] = [];
  cdp.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    writeFileSync(join(folder, `${String(times.length).padStart(5, '0')}.jpg`), Buffer.from(data, 'base64'));
    times.push(String(metadata.timestamp));
    void cdp.send('Page.screencastFrameAck', { sessionId }).catch(() => {});
  });
  await cdp.send('Page.startScreencast', { format: 'jpeg', quality: 88, maxWidth: 1440, maxHeight: 900 });
  return async () => {
    await cdp.send('Page.stopScreencast');
    writeFileSync(join(folder, 'times.txt'), times.join('\n'));
  };
}

test('the five-ball pendulum by mouse alone', async ({ page, studio, transport }) => {
  test.setTimeout(300_000);
  await visit(page, studio);
  const endTour = await keepTour(page, process.env.TENON_TOUR);
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await expect.poll(async () => (await state(page)).bodies).toBe(1);
  // a little further away
  const [mx, my] = await pixel(page, 0, [0, 0.7, 0]);
  await page.mouse.move(mx, my);
  await page.mouse.wheel(0, 420);
  await page.waitForTimeout(300);
  const put = async (tool: string, x: number, y: number) => {
    const before = (await state(page)).bodies;
    await page.locator(`[data-tool="${tool}"]`).click();
    await page.mouse.click(...(await pixel(page, 0, [x, y, 0])));
    await expect.poll(async () => (await state(page)).bodies).toBe(before + 1);
  };
  // the stand: a beam on two posts, of boxes that are fixed
  const beam = [-1.5, -1.2, -0.9, ...kHooks, 0.9, 1.2, 1.5].map((x) => [x, kTop]);
  const posts = [0.15, 0.45, 0.75, 1.05].flatMap((y) => [[-1.5, y], [1.5, y]]);
  for (const [x, y] of [...beam, ...posts]) {
    await put('box', x, y);
    await page.getByLabel('Motion').selectOption('static');
    await expect.poll(async () => (await store(page, 'scene.bodies')).at(-1).motion).toBe('static');
  }
  for (const x of kHooks) {
    await put('sphere', x, kLow);
    await page.locator('[data-material="iron"]').click();
    await expect.poll(async () => (await store(page, 'scene.bodies')).at(-1).material).toBe('iron');
  }
  for (const [i, x] of kHooks.entries()) {
    await page.locator('[data-tool="connect"]').click();
    await page.locator('.hud [data-kind="rod"]').click();
    await page.mouse.click(...(await pixel(page, 0, [x, kTop, 0])));
    await page.mouse.click(...(await pixel(page, 0, [x, kLow, 0])));
    await expect.poll(() => store(page, 'scene.joints.length')).toBe(i + 1);
  }
  // the hand raises the left ball on its rod
  await page.locator('[data-tool="hand"]').click();
  const left = await pixel(page, 0, await pose(page, balls[0]));
  const up = await pixel(page, 0, [kHooks[0] - 0.9 * Math.sin(0.6), kTop - 0.9 * Math.cos(0.6), 0]);
  await page.mouse.move(...left);
  await page.mouse.down();
  await page.mouse.move(...up, { steps: 12 });
  await page.mouse.up();
  await expect.poll(async () => (await state(page)).undo ?? '').toContain('Drag');
  await page.locator('[data-tool="move"]').click();
  await checkBuilt(page, 5);
  const from = await Promise.all(balls.map((name) => pose(page, name)));
  await picture(page, `pendulum5-built-${transport}`);

  // run, pause, scrub back
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect.poll(async () => (await state(page)).end, { timeout: 120_000 }).toBeGreaterThan(110);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await settled(page);
  await checkSwing(page, from);
  const end = (await state(page)).end;
  const old = (await ask(page, 'hash', { step: end })).hash;
  const strip = (await page.locator('canvas.strip').boundingBox())!;
  const x = await page.evaluate(() => (window as any).studio.timelineX(40));
  await page.mouse.move(strip.x + 0.3 * strip.width, strip.y + 8);
  await page.mouse.down();
  await page.mouse.move(strip.x + x, strip.y + 8, { steps: 10 });
  await page.mouse.up();
  await expect.poll(async () => (await state(page)).step).toBeLessThan(60);
  await page.waitForTimeout(400);
  const cut = (await state(page)).step;
  const early = (await ask(page, 'hash', { step: cut - 5 })).hash;

  // another material for the middle ball, there; and on
  await page.mouse.click(...(await pixel(page, 0, await pose(page, balls[2]))));
  await expect.poll(() => store(page, 'selection')).toEqual([balls[2]]);
  await page.locator('[data-material="wood"]').click();
  await expect.poll(async () => (await state(page)).undo).toContain('wood');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect.poll(async () => (await state(page)).end, { timeout: 120_000 }).toBeGreaterThanOrEqual(Math.min(end, 110));
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await settled(page);
  // the old take as a ghost beside it
  await page.locator('.takes .chip button.x').first().click();
  await checkTakes(page, cut, early, old);
  await picture(page, `pendulum5-takes-${transport}`);
  if (process.env.TENON_TOUR) {
    await page.getByRole('button', { name: 'Play backwards' }).click();
    await page.waitForTimeout(1500);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
  }
  await endTour();

  await page.getByRole('button', { name: 'Make a film' }).click();
  await page.locator('dialog').getByLabel('Size').selectOption('640x360');
  await page.getByLabel('Pictures per second').selectOption('15');
  if (transport === 'server') await page.getByLabel('Quality').selectOption('draft');
  await checkFilm(page, transport, () => page.getByRole('button', { name: 'Make it' }).click());
});

test('the five-ball pendulum by keyboard alone', async ({ page, studio, transport }) => {
  test.setTimeout(300_000);
  await visit(page, studio);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const toView = () => page.locator('canvas.view').focus();
  // Tab leads to a field; its label says which one
  const type = async (label: string, text: string) => {
    await page.getByLabel(label, { exact: true }).focus();
    await press('Control+a');
    await page.keyboard.type(text);
    await press('Enter');
  };
  await page.getByRole('button', { name: 'New', exact: true }).focus();
  await press('Enter');
  await expect.poll(async () => (await state(page)).bodies).toBe(1);
  const make = async (keys: string, name: string, position: number[], size?: string[]) => {
    await toView();
    await press('Escape', 'Escape', keys, 'Enter');
    await expect.poll(() => store(page, 'selection')).toEqual([name]);
    for (const [i, axis] of ['x', 'y', 'z'].entries()) {
      await type(`Position ${axis}`, String(position[i]));
      await expect.poll(async () => (await pose(page, name))[i]).toBeCloseTo(position[i], 6);
      if (!size) continue;
      await type(`Size ${axis}`, size[i]);
      await expect.poll(async () => (await store(page, 'scene.bodies')).find((b: any) => b.name === name).shape.size[i]).toBeCloseTo(Number(size[i].replace(' cm', '')) / 100, 6);
    }
  };
  const fix = async () => {
    await page.getByLabel('Motion').focus();
    await press('s'); // as lists are chosen from by letters
    await expect.poll(async () => (await store(page, 'scene.bodies')).at(-1).motion).toBe('static');
  };
  // the stand: a beam and two posts
  await make('Shift+B', 'box', [0, kTop + 0.05, 0], ['330 cm', '10 cm', '10 cm']);
  await fix();
  for (const [name, x] of [['box 2', -1.6], ['box 3', 1.6]] as const) {
    await make('Shift+B', name, [x, kTop / 2, 0], ['10 cm', '135 cm', '10 cm']);
    await fix();
  }
  // a hook, a ball, a rod; five of them in a row
  await make('Shift+I', 'fixed point', [kHooks[0], kTop, 0]);
  await make('Shift+S', 'sphere', [kHooks[0], kLow, 0]);
  await type('Radius', '15 cm');
  await expect.poll(async () => (await store(page, 'scene.bodies')).at(-1).shape.radius).toBeCloseTo(0.15, 9);
  await page.locator('[data-material="iron"]').focus();
  await press('Enter');
  await expect.poll(async () => (await store(page, 'scene.bodies')).at(-1).material).toBe('iron');
  await toView();
  await press('Escape', 'Escape', 'c', '3', 'Escape'); // rods
  const select = async (...names: string[]) => {
    await press('Escape');
    for (const [i, name] of names.entries()) {
      for (let n = 0; n < 40 && (await store(page, 'selection')).at(-1) !== name; ++n) await press(i === 0 ? 'PageDown' : 'Shift+PageDown');
    }
    await expect.poll(() => store(page, 'selection')).toEqual(names);
  };
  await select('fixed point', 'sphere');
  await press('c');
  await expect.poll(() => store(page, 'scene.joints.length')).toBe(1);
  await toView();
  await select('fixed point', 'sphere');
  await press('Shift+D');
  await page.getByLabel('Count').focus();
  await press('Control+a', '5');
  await type('Distance x (m)', '0.3');
  await expect.poll(() => store(page, 'scene.joints.length')).toBe(5);
  // the first ball raised along its circle
  await toView();
  await select(balls[0]);
  const { edits } = await state(page);
  await type('Position x', (kHooks[0] - 0.9 * Math.sin(0.6)).toFixed(6));
  await expect.poll(async () => (await state(page)).edits).toBe(edits + 1);
  await type('Position y', (kTop - 0.9 * Math.cos(0.6)).toFixed(6));
  await expect.poll(async () => (await pose(page, balls[0]))[1]).toBeCloseTo(kTop - 0.9 * Math.cos(0.6), 5);
  await checkBuilt(page, 5);
  const from = await Promise.all(balls.map((name) => pose(page, name)));
  await toView();
  await press('f');
  await picture(page, `pendulum5-keys-${transport}`);

  // run, pause, back by steps
  await press(' ');
  await expect.poll(async () => (await state(page)).end, { timeout: 120_000 }).toBeGreaterThan(110);
  await press('k');
  await settled(page);
  await checkSwing(page, from);
  const end = (await state(page)).end;
  const old = (await ask(page, 'hash', { step: end })).hash;
  await press('Home', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight');
  await expect.poll(async () => (await state(page)).step).toBe(40);
  const early = (await ask(page, 'hash', { step: 35 })).hash;
  // another material for the middle ball, there; and on
  await select(balls[2]);
  await page.locator('[data-material="wood"]').focus();
  await press('Enter');
  await expect.poll(async () => (await state(page)).undo).toContain('wood');
  await toView();
  await press(' ');
  await expect.poll(async () => (await state(page)).end, { timeout: 120_000 }).toBeGreaterThan(110);
  await press('k');
  await settled(page);
  await press('Shift+T');
  await checkTakes(page, 40, early, old);
  await picture(page, `pendulum5-keys-takes-${transport}`);
  await press('Shift+R');
  const choose = async (label: string, text: string) => {
    await page.locator('dialog').getByLabel(label, { exact: true }).focus();
    await page.keyboard.type(text);
  };
  await choose('Size', '640');
  await choose('Pictures per second', '15');
  if (transport === 'server') await choose('Quality', 'draft');
  await page.getByRole('button', { name: 'Make it' }).focus();
  await checkFilm(page, transport, () => press('Enter'));
});
