// A studio to visit: the local server, or the static site on a plain web server.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, type Page, test as base, expect as baseExpect } from '@playwright/test';

export const here = dirname(fileURLToPath(import.meta.url)); // node 18 has no import.meta.dirname
const root = join(here, '../../..');
export const tenon = process.env.TENON ?? join(root, 'build/release/bin/tenon');

interface Studio {
  address: string;
  folder: string;
  log: string[];
  stop(): void;
}

const page = process.env.TENON_PAGE ? ['--page', process.env.TENON_PAGE] : [];

export function startServer(folder: string, ...more: string[]): Promise<Studio & { process: ChildProcess }> {
  const child = spawn(tenon, ['studio', '--no-browser', ...(more.includes('--port') ? [] : ['--port', '0']), '--folder', folder, ...page, ...more]);
  const log: string[] = [];
  child.stderr.on('data', (data) => log.push(String(data)));
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (data) => {
      text += data;
      const found = /http:\S+/.exec(text);
      if (found) resolve({ address: found[0], folder, log, process: child, stop: () => child.kill() });
    });
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${log.join('')}`)));
  });
}

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.json': 'application/json', '.jpg': 'image/jpeg' };
function startSite(folder: string): Promise<Studio> {
  execFileSync(tenon, ['studio', '--export', folder, ...page]);
  const server: Server = createServer((request, response) => {
    const path = join(folder, normalize(new URL(request.url!, 'http://x').pathname).replace(/\/$/, '/index.html'));
    if (!existsSync(path)) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' }).end(readFileSync(path));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, folder, log: [], stop: () => server.close() })));
}

// Pictures that nobody looks at have a quarter of the pixels; where things stand on the page does not depend on it.
const coarsely = () => Object.defineProperty(window, 'devicePixelRatio', { get: () => 0.5 });

export const test = base.extend<{ complaints: string[] }, { studio: Studio; transport: string }>({
  transport: [async ({}, use, info) => use(info.project.metadata.transport), { scope: 'worker' }],
  studio: [
    async ({ transport }, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'tenon-studio-'));
      const studio = transport === 'server' ? await startServer(folder) : await startSite(folder);
      await use(studio);
      studio.stop();
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  // no journey may leave an error in the console
  complaints: [
    async ({ browser }, use) => {
      const complaints: string[] = [];
      // of every page, also of those that a journey opens itself
      const watch = (context: BrowserContext) => {
        if (!process.env.TENON_PICTURES && !process.env.TENON_TOUR) void context.addInitScript(coarsely);
        context.on('console', (m) => m.type() === 'error' && complaints.push(m.text()));
        context.on('weberror', (e) => complaints.push(String(e.error())));
      };
      browser.on('context', watch);
      await use(complaints);
      browser.off('context', watch);
      baseExpect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});
// What is waited for is looked at often: the usual intervals, up to a second, were a third of all time.
const poll: typeof baseExpect.poll = (actual, options) => baseExpect.poll(actual, { intervals: [20, 40, 80, 120, 200], ...(typeof options === 'string' ? { message: options } : options) });
export const expect = new Proxy(baseExpect, { get: (target, key) => (key === 'poll' ? poll : Reflect.get(target, key)) });

// Not for the first time, unless it is said: then hints come and the scene moves by itself.
export async function visit(page: Page, studio: Studio, first = false) {
  if (!first) await seen(page);
  await page.goto(studio.address);
  await expect(page.locator('body[data-ready=true]')).toBeAttached();
}
export const seen = (page: Page) => page.addInitScript(() => localStorage.setItem('tenon.hinted', '1'));
// The answer, once what it changed is told as well: scene, state and frame come after it, one by one. Whatever was
// looked at in between was of two moments. An unknown request changes nothing, and its refusal comes after all of that.
export const ask = (page: Page, what: string, values: object = {}) =>
  page.evaluate(
    async ([w, v]) => {
      const { request } = (window as any).studio;
      const answer = await request(w, v);
      await request('nothing').catch(() => {});
      return answer;
    },
    [what, values] as const,
  );
// The link of the film that was asked for last: the server has those of other pages as well.
export async function filmed(page: Page, transport: string, perform: () => Promise<unknown>, timeout = 200_000) {
  const last = async () => (transport === 'server' ? ((await ask(page, 'jobs')).jobs.at(-1)?.job ?? 0) : 0);
  const before = await last();
  await perform();
  if (transport === 'server') await expect.poll(last).toBe(before + 1);
  const link = page.locator(`.job[data-state="done"]${transport === 'server' ? `[data-job="${before + 1}"]` : ''} a`);
  await expect(link).toBeVisible({ timeout });
  const saved = page.waitForEvent('download');
  await link.click();
  return saved;
}
export const state = (page: Page) => page.evaluate(() => ({ ...(window as any).studio.store.state, time: (window as any).studio.store.frame?.time, bodies: (window as any).studio.store.scene?.bodies.length, scene_name: (window as any).studio.store.scene?.name }));
export const pose = (page: Page, name: string): Promise<number[]> => page.evaluate((n) => (window as any).studio.store.pose(n), name);
export const pixel = (page: Page, view: number, p: number[]): Promise<[number, number]> => page.evaluate(([v, q]) => (window as any).studio.pixel(v, ...(q as number[])), [view, p] as const) as Promise<[number, number]>;
export async function settled(page: Page) {
  await expect.poll(async () => (await state(page)).mode).toBe('paused');
}
// The hash that a plain run of the command ends with.
export function runHash(scene: string, steps: number, stepLength: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-run-'));
  const report = join(folder, 'report.json');
  execFileSync(tenon, ['run', scene, '--seconds', String(steps * stepLength), '--report', report]);
  const out = JSON.parse(readFileSync(report, 'utf8'));
  rmSync(folder, { recursive: true });
  expect(out.steps).toBe(steps);
  return out.state_hash;
}
export async function picture(page: Page, name: string) {
  if (process.env.TENON_PICTURES) await page.screenshot({ path: join(process.env.TENON_PICTURES, `${name}.png`) });
}

export const store = (page: Page, what: string) => page.evaluate((w) => w.split('.').reduce((x: any, k) => x?.[k], (window as any).studio.store), what);
// By the palette.
export async function command(page: Page, words: string) {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'What would you like to do?' }).fill(words);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toHaveCount(0);
}
