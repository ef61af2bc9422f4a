// The first visit, and people whose hands, eyes or screens are not the usual ones.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, expect, here, picture, pixel, pose, state, test, visit } from './kit';
import type { Page } from '@playwright/test';

const violations = async (page: Page) => {
  await page.evaluate(readFileSync(join(here, '../node_modules/axe-core/axe.min.js'), 'utf8'));
  return page.evaluate(async () => {
    const result = await (window as any).axe.run();
    return result.violations.filter((v: any) => v.impact === 'serious' || v.impact === 'critical').map((v: any) => `${v.id}: ${v.nodes.map((n: any) => n.target).join(' ')}`);
  });
};

test('the first visit: the pendulum swings, four hints are followed, and none comes again', async ({ page, studio, transport }) => {
  await visit(page, studio, true);
  const hint = page.locator('.first-hint');
  await expect(hint).toHaveAttribute('data-hint', '1');
  await expect.poll(async () => (await state(page)).mode).toBe('playing');
  await picture(page, `hint-1-${transport}`);
  // 1: pull a ball while it swings
  await page.locator('canvas.view').focus();
  await page.keyboard.press('k');
  await ask(page, 'play', { speed: 0.1 });
  const at = await pixel(page, 0, await pose(page, 'ball_2'));
  await page.mouse.move(...at);
  await page.mouse.down();
  await page.mouse.move(at[0] - 40, at[1] - 20, { steps: 5 });
  await expect.poll(async () => (await state(page)).undo ?? '').toContain('Pull');
  await page.waitForTimeout(300);
  await page.mouse.up();
  await expect(hint).toHaveAttribute('data-hint', '2');
  // 2: pause, and back along the strip
  await page.keyboard.press(' ');
  const strip = (await page.locator('canvas.strip').boundingBox())!;
  await page.mouse.click(strip.x + 14, strip.y + 6);
  await expect(hint).toHaveAttribute('data-hint', '3');
  await picture(page, `hint-3-${transport}`);
  // 3: another material there
  await page.locator('.tree .row', { hasText: 'ball_2' }).click();
  await page.locator('[data-material="rubber"]').click();
  // they come from an array, which gives way by itself: one edit, and what was written stays written
  await expect(page.locator('.toast', { hasText: 'single bodies' })).toBeVisible();
  expect((await ask(page, 'text')).text).toContain('"1/240"');
  await expect(hint).toHaveAttribute('data-hint', '4');
  // 4: and on
  await page.keyboard.press(' '); // the button that was clicked does not take it
  await expect(hint).toContainText('More scenes');
  await page.keyboard.press('k');
  await hint.getByRole('button', { name: 'Gallery' }).click();
  await expect(page.locator('dialog .card').first()).toBeVisible();
  await expect(page.locator('dialog .card img').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.locator('body[data-ready=true]')).toBeAttached();
  await page.waitForTimeout(500);
  await expect(hint).toHaveCount(0);
});

test('who asked for little motion gets none by itself', { tag: '@page' }, async ({ browser, studio }) => {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  await visit(page, studio, true);
  await expect(page.locator('.first-hint')).toBeVisible();
  await page.waitForTimeout(800);
  expect((await state(page)).mode).toBe('paused');
  expect(await page.locator('.first-hint').evaluate((e) => getComputedStyle(e).animationName)).toBe('none');
  await context.close();
});

test('keys are switched off and changed, and stay so', { tag: '@page' }, async ({ page, studio }) => {
  await visit(page, studio);
  const steps = async () => (await state(page)).step;
  await page.locator('canvas.view').focus();
  await page.keyboard.press('m');
  const syncs = () => page.evaluate(() => (window as any).studio.store.syncs.length);
  await expect.poll(syncs).toBe(1);
  // single characters off: M does nothing, keys with names still do
  await page.keyboard.press('?');
  await page.getByLabel('Keys of a single letter, digit or sign are off').check();
  // and "one step forward" to Ctrl Alt P
  await page.locator('[data-key="step_forward"]').click();
  await page.keyboard.press('Control+Alt+p');
  await expect(page.locator('[data-key="step_forward"]')).toContainText('Ctrl Alt P');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.locator('canvas.view').focus();
  await page.keyboard.press('m');
  await page.keyboard.press('ArrowRight');
  await page.waitForTimeout(300);
  expect([await syncs(), await steps()]).toEqual([1, 0]);
  await page.keyboard.press('Control+Alt+p');
  await expect.poll(steps).toBe(1);
  await page.reload();
  await expect(page.locator('body[data-ready=true]')).toBeAttached();
  await page.locator('canvas.view').focus();
  const before = await steps();
  await page.keyboard.press('Control+Alt+p');
  await expect.poll(steps).toBe(before + 1);
  // the usual one comes back
  await page.getByRole('button', { name: 'Keys' }).click();
  await page.locator('[data-key="step_forward"]').click();
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-key="step_forward"]')).toContainText('→');
});

test('the scene is told in words, in English and German', async ({ page, studio }) => {
  await visit(page, studio);
  await ask(page, 'load', { gallery: 'cradle' });
  await ask(page, 'step', { count: 120 });
  await page.locator('canvas.view').focus();
  await page.keyboard.press('Control+e');
  const told = page.locator('.description');
  await expect(told).toContainText('6 bodies, 5 of them movable');
  await expect(told).toContainText('ball_0 (');
  await expect(told).toContainText('10 joints and connections');
  await expect(told).toContainText('Time 0.50 of');
  await expect(told).toContainText('Last contacts');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await expect(page.getByRole('button', { name: 'Galerie' })).toBeVisible();
  await expect(page.locator('body[data-ready=true]')).toBeAttached();
  await page.locator('canvas.view').focus();
  await page.keyboard.press('Control+e');
  await expect(told).toContainText('6 Körper, davon 5 beweglich');
});

test('at 200 % zoom everything can be reached', { tag: '@page' }, async ({ browser, studio, transport }) => {
  // a window of 1440 x 900 has 720 x 450 such pixels then
  const context = await browser.newContext({ viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 });
  const page = await context.newPage();
  await visit(page, studio);
  await page.locator('.tree .row').nth(1).click();
  for (const name of ['Keys', 'New', 'Run', 'Make a film', 'Delete']) {
    const button = page.getByRole('button', { name, exact: true }).first();
    await button.scrollIntoViewIfNeeded();
    const box = (await button.boundingBox())!;
    expect(box.x, name).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width, name).toBeLessThanOrEqual(720);
    expect(box.y + box.height, name).toBeLessThanOrEqual(450);
  }
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect.poll(async () => (await state(page)).end).toBeGreaterThan(5);
  await page.getByLabel('Mass').scrollIntoViewIfNeeded();
  await expect(page.getByLabel('Mass')).toBeInViewport();
  await picture(page, `zoom-${transport}`);
  await context.close();
});

test('nothing serious stands in the way in German, in dialogs and on a phone (axe)', async ({ browser, studio }) => {
  for (const [name, options] of [['desktop', { locale: 'de-DE' }], ['phone', { locale: 'de-DE', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }]] as const) {
    const context = await browser.newContext({ ...options, colorScheme: name === 'phone' ? 'light' : 'dark' });
    const page = await context.newPage();
    await visit(page, studio, true);
    expect(await violations(page), name).toEqual([]);
    for (const tab of name === 'phone' ? ['inspector', 'gallery', 'timeline'] : []) {
      await page.locator(`[data-tab="${tab}"]`).tap();
      expect(await violations(page), tab).toEqual([]);
    }
    for (const key of ['?', 'Control+e', 'Control+k', 'Control+o', 'Shift+R']) {
      await page.locator('canvas.view').focus();
      await page.keyboard.press(key);
      await expect(page.getByRole('dialog')).toHaveCount(1);
      expect(await violations(page), `${name} ${key}`).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
    await context.close();
  }
});
