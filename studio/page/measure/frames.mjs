// What a picture of the studio costs with 500 bodies in four views while the engine runs: node measure/frames.mjs [BODIES ...]
// Prints pictures per second, milliseconds of processor time of each part per picture, and how long
// it takes from a movement of the pointer to the picture that shows it, while a body is grabbed.
import { difference, loadHeap, machineTime, median, openPage, processorTime, startStudio } from './kit.mjs';

const counts = process.argv.slice(2).map(Number);
const studio = await startStudio();
const page = await openPage(studio);
const seconds = Number(process.env.SECONDS ?? 6);

// With the drawing waited for: one pixel is read back.
const still = () =>
  page.evaluate(() => {
    const { stage, views } = window.studio;
    const gl = views.renderer.getContext();
    const pixel = new Uint8Array(4);
    const times = (n, work) => Array.from({ length: n }, () => {
      const began = performance.now();
      work();
      return performance.now() - began;
    }).sort((a, b) => a - b)[n >> 1];
    return {
      move: times(21, () => stage.move()),
      picture: times(21, () => {
        views.drawNow();
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      }),
      renderer: gl.getParameter(gl.getExtension('WEBGL_debug_renderer_info').UNMASKED_RENDERER_WEBGL),
      size: [views.canvas.width, views.canvas.height],
    };
  });

async function run() {
  await page.evaluate(() => window.studio.request('play', { speed: 1 }));
  await page.waitForTimeout(1500); // a view that is too slow gets plainer meanwhile
  const drawn = () => page.evaluate(() => window.studio.drawn());
  const [before, began, first, machine] = [processorTime(studio), performance.now(), await drawn(), machineTime()];
  await page.waitForTimeout(1000 * seconds);
  const [last, wall] = [await drawn(), (performance.now() - began) / 1000];
  const cost = difference(processorTime(studio), before);
  const own = cost.engine + cost.page + cost.graphics + cost.browser;
  const others = (machineTime() - machine - own) / wall;
  const steps = await page.evaluate(() => window.studio.store.frame.stats[6]);
  return { pictures: last - first, wall, cost, others, steps };
}

// A hand on a body: from the event to the picture drawn after it.
async function grab() {
  const at = await page.evaluate(() => {
    const { store, pixel } = window.studio;
    const names = store.scene.bodies.filter((b) => b.motion === 'dynamic').map((b) => b.name);
    const top = names.sort((a, b) => store.pose(b)[1] - store.pose(a)[1])[0];
    return pixel(0, ...store.pose(top).slice(0, 3));
  });
  await page.evaluate(() => {
    const canvas = document.querySelector('canvas.view');
    window.delays = [];
    window.felt = [];
    canvas.addEventListener('pointermove', (e) => window.studio.afterPicture(() => window.delays.push(performance.now() - e.timeStamp)));
  });
  await page.mouse.move(...at);
  await page.mouse.down();
  for (let i = 0; i < 40; ++i) {
    await page.mouse.move(at[0] + 3 * i, at[1] - 2 * i);
    await page.waitForTimeout(40);
  }
  await page.mouse.up();
  return page.evaluate(() => [window.delays, window.felt].map((list) => list.sort((a, b) => a - b)));
}

for (const count of counts.length ? counts : [500]) {
  await loadHeap(page, count);
  const { move, picture, renderer, size } = await still();
  if (count === (counts[0] ?? 500)) console.log(`${renderer}, ${size.join(' × ')} pixels`);
  const { pictures, wall, cost, others, steps } = await run();
  const per = (s) => ((1000 * s) / pictures).toFixed(1);
  console.log(`${count} bodies in four views: ${(pictures / wall).toFixed(0)} pictures a second with the engine running (a step takes ${steps.toFixed(1)} ms; other programs used ${others.toFixed(1)} processors)`);
  console.log(`  standing still: a picture ${picture.toFixed(1)} ms, placing the bodies ${move.toFixed(2)} ms`);
  console.log(`  processor time per picture: drawing ${per(cost.graphics)} ms, page ${per(cost.page)} ms, engine ${per(cost.engine)} ms, rest of the browser ${per(cost.browser)} ms`);
  const told = (list) => `${median(list)?.toFixed(0)} ms (the slowest tenth: ${list[Math.floor(0.9 * list.length)]?.toFixed(0)} ms)`;
  const [seen, felt] = await grab();
  console.log(`  from a movement of the hand to the picture that shows it ${told(seen)}, to the one in which the engine has felt it ${told(felt)}`);
  await page.evaluate(() => window.studio.request('pause'));
}
await studio.stop();
