// What the site without a server promises beyond the journeys that both transports share.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, expect, state, test, visit } from './kit';

// The static site has no server: the browser encodes. That the local server films is another journey.
test('the film of the vehicle, five hundred pictures, is an MP4', async ({ page, studio }) => {
  test.setTimeout(600_000);
  await visit(page, studio);
  await ask(page, 'load', { gallery: 'aero/vehicle-on-ice' });
  await expect.poll(async () => (await state(page)).scene_name).toContain('vehicle');
  const { step_length } = await state(page);
  const steps = Math.round(19.96 / step_length); // the first picture is at 0
  for (let at = 0; at < steps; at += 300) await ask(page, 'step', { count: Math.min(300, steps - at) });
  await expect.poll(async () => (await state(page)).end, { timeout: 120_000 }).toBe(steps);
  await page.locator('canvas.view').focus();
  await page.keyboard.press('Shift+R');
  await page.locator('dialog').getByLabel('Size').selectOption('426x240');
  await page.getByLabel('Pictures per second').selectOption('25');
  await page.getByRole('button', { name: 'Make it' }).click();
  const done = page.locator('.job[data-state="done"] a');
  await expect(done).toBeVisible({ timeout: 500_000 });
  const saved = page.waitForEvent('download');
  await done.click();
  const folder = mkdtempSync(join(tmpdir(), 'tenon-film-'));
  const file = join(folder, 'film.mp4');
  await (await saved).saveAs(file);
  expect(readFileSync(file).subarray(4, 8).toString()).toBe('ftyp');
  const probe = execFileSync('ffprobe', ['-v', 'error', '-count_frames', '-select_streams', 'v', '-show_entries', 'stream=width,height,nb_read_frames,r_frame_rate', '-of', 'json', file]);
  rmSync(folder, { recursive: true });
  const [stream] = JSON.parse(String(probe)).streams;
  expect([stream.width, stream.height, stream.r_frame_rate]).toEqual([426, 240, '25/1']);
  expect(Math.abs(Number(stream.nb_read_frames) - 500)).toBeLessThanOrEqual(1);
});
