// Fingers: a phone with one view and a sheet, a tablet with everything. Touches come from the
// browser's own debugger, as a screen sends them.
import { ask, expect, picture, pixel, pose, state, test, visit } from './kit';
import type { CDPSession, Page } from '@playwright/test';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' as const };
type Point = [number, number];
const fingers = (cdp: CDPSession, type: 'touchStart' | 'touchMove' | 'touchEnd', points: Point[]) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
async function swipe(page: Page, cdp: CDPSession, from: Point[], to: Point[]) {
  await fingers(cdp, 'touchStart', from);
  for (let k = 1; k <= 8; ++k) {
    await fingers(cdp, 'touchMove', from.map(([x, y], i): Point => [x + (k / 8) * (to[i][0] - x), y + (k / 8) * (to[i][1] - y)]));
    await page.waitForTimeout(25);
  }
  await fingers(cdp, 'touchEnd', []);
}
const view = (page: Page, name = 'camera') => page.evaluate((n) => {
  const v = (window as any).studio.views.views.find((x: any) => x.name === n);
  return { yaw: v.yaw, pitch: v.pitch, span: v.span, target: v.target.toArray(), width: v.width };
}, name);

test('a phone: one view, three tabs, one finger turns, two pan and pinch, a long press selects, a drag on a body grabs', async ({ browser, studio, transport }) => {
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (m) => m.type() === 'error' && complaints.push(m.text()));
  await visit(page, studio);
  await ask(page, 'load', { gallery: 'cradle' });
  const cdp = await context.newCDPSession(page);
  expect((await view(page)).width).toBe(390);
  expect((await view(page, 'front')).width).toBe(0);
  const box = (await page.locator('canvas.view').boundingBox())!;
  const empty: Point = [box.x + 40, box.y + 60];

  // one finger
  let before = await view(page);
  await swipe(page, cdp, [empty], [[empty[0] + 90, empty[1] + 20]]);
  let after = await view(page);
  expect(after.yaw).toBeLessThan(before.yaw - 0.3);
  expect(after.span).toBe(before.span);
  // two fingers apart: nearer; both along: moved
  before = after;
  await swipe(page, cdp, [[150, 300], [240, 300]], [[90, 300], [300, 300]]);
  after = await view(page);
  expect(after.span).toBeLessThan(0.6 * before.span);
  before = after;
  await swipe(page, cdp, [[150, 300], [240, 300]], [[150, 380], [240, 380]]);
  after = await view(page);
  expect(after.target[1]).toBeGreaterThan(before.target[1] + 0.01);
  expect(after.span).toBeCloseTo(before.span, 1);
  await swipe(page, cdp, [[90, 300], [300, 300]], [[150, 300], [240, 300]]);

  // a long press
  await page.evaluate(() => (window as any).studio.views.frame((window as any).studio.stage.extent, 1.6));
  const ball = await pixel(page, 3, await pose(page, 'ball_4'));
  await fingers(cdp, 'touchStart', [ball]);
  await expect.poll(() => page.evaluate(() => (window as any).studio.store.selection)).toEqual(['ball_4']);
  await fingers(cdp, 'touchEnd', []);
  await page.locator('[data-tab="inspector"]').tap();
  await expect(page.getByLabel('Mass')).toBeVisible();
  await picture(page, `phone-inspector-${transport}`);
  await page.locator('[data-tab="timeline"]').tap();

  // a drag on a body while it runs
  await ask(page, 'play', { speed: 0.1 });
  const at = await pixel(page, 3, await pose(page, 'ball_2'));
  await fingers(cdp, 'touchStart', [at]);
  for (let k = 1; k <= 6; ++k) await fingers(cdp, 'touchMove', [[at[0] - 8 * k, at[1] - 4 * k]]);
  await expect.poll(async () => (await state(page)).undo ?? '').toContain('Pull ball_2');
  await picture(page, `phone-grab-${transport}`);
  await fingers(cdp, 'touchEnd', []);
  await ask(page, 'pause');
  // and the gallery
  await page.locator('[data-tab="gallery"]').tap();
  await expect(page.locator('.sheet-gallery .card img').first()).toBeVisible();
  await page.locator('.sheet-gallery [data-scene="pendulum"]').tap();
  await expect.poll(async () => (await state(page)).scene_name).toBe('pendulum.json');
  expect(complaints).toEqual([]);
  await context.close();
});

test('a tablet builds: shapes, a rod, a material, by fingers alone', async ({ browser, studio, transport }) => {
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await visit(page, studio);
  await page.getByRole('button', { name: 'New', exact: true }).tap();
  await expect.poll(async () => (await state(page)).bodies).toBe(1);
  const tapAt = async (p: number[]) => page.touchscreen.tap(...(await pixel(page, 0, p)));
  await page.locator('[data-tool="fixed_point"]').tap();
  await tapAt([0, 1, 0]);
  await expect.poll(async () => (await state(page)).bodies).toBe(2);
  await page.locator('[data-tool="sphere"]').tap();
  await tapAt([0.6, 1, 0]);
  await expect.poll(async () => (await state(page)).bodies).toBe(3);
  await page.locator('[data-tool="connect"]').tap();
  await page.locator('.hud [data-kind="rod"]').tap();
  await tapAt(await pose(page, 'fixed point'));
  await tapAt(await pose(page, 'sphere'));
  await expect.poll(() => page.evaluate(() => (window as any).studio.store.scene.joints.length)).toBe(1);
  await tapAt(await pose(page, 'sphere'));
  await expect.poll(() => page.evaluate(() => (window as any).studio.store.selection)).toEqual(['sphere']);
  await page.locator('[data-material="iron"]').tap();
  await expect.poll(async () => (await ask(page, 'text')).text).toContain('"iron"');
  await page.getByRole('button', { name: 'Run', exact: true }).tap();
  await expect.poll(async () => (await state(page)).end).toBeGreaterThan(20);
  await page.getByRole('button', { name: 'Pause', exact: true }).tap();
  await picture(page, `tablet-${transport}`);
  await context.close();
});

test('two pictures beside each other for two eyes; glasses only where the browser has some', async ({ page, studio, transport }) => {
  await visit(page, studio);
  await expect(page.locator('[data-action="xr"]')).toHaveCount(0);
  await page.locator('canvas.view').focus();
  for (let i = 0; i < 3; ++i) await page.keyboard.press('Alt+3');
  await expect(page.locator('body')).toHaveAttribute('data-stereo', 'side-by-side');
  // the halves of the camera view are alike, and not the same
  const [same, other] = await page.evaluate(() => {
    const { views } = (window as any).studio;
    views.drawNow();
    const gl = views.renderer.getContext();
    const v = views.views[3];
    const ratio = views.renderer.getPixelRatio();
    const [w, h] = [Math.floor((ratio * v.width) / 2), Math.floor(ratio * v.height)];
    const half = (i: number) => {
      const out = new Uint8Array(4 * w * h);
      gl.readPixels(Math.floor(ratio * v.left) + i * w, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, out);
      return out;
    };
    const [a, b] = [half(0), half(1)];
    let [equal, different] = [0, 0];
    for (let i = 0; i < a.length; i += 4) Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) < 24 ? ++equal : ++different;
    return [equal / (equal + different), different / (equal + different)];
  });
  expect(same).toBeGreaterThan(0.6);
  expect(other).toBeGreaterThan(0.005);
  await picture(page, `beside-${transport}`);
  // a browser that has glasses
  await page.addInitScript(() => Object.defineProperty(navigator, 'xr', { value: { isSessionSupported: async (mode: string) => mode === 'immersive-vr', addEventListener: () => {} } }));
  await page.reload();
  await expect(page.locator('[data-action="xr"]')).toBeVisible();
});
