// The gallery: pictures that begin to move under the pointer.
import { expect, picture, state, test, visit } from './kit';

test('a scene of the gallery runs in its card while it is pointed at, and leaves the work alone', async ({ page, studio, transport, browser }) => {
  await visit(page, studio);
  const before = await state(page);
  await page.getByRole('button', { name: 'Gallery', exact: true }).click();
  const card = (name: string) => page.locator(`.card[data-scene="${name}"]`);
  const moving = page.locator('canvas.moving');
  const time = (): Promise<number> => page.evaluate(() => (window as any).studio.preview.store.frame?.time ?? 0);
  await expect(card('dominoes').locator('img')).toBeVisible();
  await expect(moving).toHaveCount(0);
  await card('can-toss').hover();
  await expect(card('can-toss').locator('canvas.moving')).toBeVisible();
  await expect.poll(time).toBeGreaterThan(0.5);
  await picture(page, `gallery-moving-${transport}`);
  // no empty picture: something other than its ground is seen
  const colors = await moving.evaluate((e) => {
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [(e as HTMLCanvasElement).width, (e as HTMLCanvasElement).height];
    (window as any).studio.preview.draw();
    copy.getContext('2d')!.drawImage(e as HTMLCanvasElement, 0, 0);
    const data = copy.getContext('2d')!.getImageData(0, 0, copy.width, copy.height).data;
    return new Set(Array.from({ length: data.length / 4 }, (_, i) => `${data[4 * i] >> 4} ${data[4 * i + 1] >> 4} ${data[4 * i + 2] >> 4}`)).size;
  });
  expect(colors).toBeGreaterThan(12);
  // it begins again after four seconds
  await expect.poll(time).toBeGreaterThan(2);
  await expect.poll(time).toBeLessThan(1);
  // another card, by keyboard; then none
  await page.locator('dialog').getByRole('searchbox').fill('pendulum');
  await expect(moving).toHaveCount(0);
  await page.locator('dialog').getByRole('searchbox').focus();
  await page.keyboard.press('Tab');
  await expect(page.locator('.card').first().locator('canvas.moving')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => (window as any).studio.preview.link === null)).toBe(true);
  const after = await state(page);
  expect([after.scene_name, after.step, after.end, after.edits]).toEqual([before.scene_name, before.step, before.end, before.edits]);

  // whose system asks for little motion keeps the pictures
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const still = await context.newPage();
  await visit(still, studio);
  await still.getByRole('button', { name: 'Gallery', exact: true }).click();
  await still.locator('.card[data-scene="can-toss"]').hover();
  await still.waitForTimeout(1200);
  await expect(still.locator('canvas.moving')).toHaveCount(0);
  await context.close();
});
