// A German page has no English word: every screen is read in both languages, and what reads alike must be a name, a
// unit or a word of the file format.
import { ask, expect, settled, state, test, visit } from './kit';
import type { Page } from '@playwright/test';

// All that can be read or heard: texts, notes, labels. Names of the scene are nobody's to translate.
const read = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { store } = (window as any).studio;
    const s = store.scene ?? {};
    const names = new Set<string>([s.name, s.title, ...Object.keys(s.materials ?? {}), ...Object.keys(s.document?.prefabs ?? {})]);
    for (const section of ['bodies', 'joints', 'forces', 'cameras', 'lights', 'instances']) for (const x of s[section] ?? []) names.add(x.name);
    for (const x of [...store.takes.map((k: any) => k.label), ...store.syncs.map((k: any) => k.name)]) names.add(x);
    // parts of instances are called "crate/lid"; symbols have the same words
    for (const name of [...names]) for (const part of String(name).split(/[/]/)) names.add(part).add(part.replaceAll('_', ' '));
    for (const name of [...names]) if (String(name).includes('/')) names.add(String(name).slice(String(name).indexOf('/') + 1));
    const found = new Set<string>();
    const add = (text: string | null | undefined) => {
      const clean = text?.replace(/\s+/g, ' ').trim();
      if (clean && !names.has(clean) && !clean.split(' – ').every((part) => names.has(part))) found.add(clean);
    };
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node: Node | null = walk.currentNode; node; node = walk.nextNode()) {
      if (node instanceof Text) {
        if (!node.parentElement!.closest('script, style, [data-scene], pre, textarea, kbd, .jobs')) add(node.data);
      } else if (node instanceof Element) {
        if (node.closest('[data-scene]')) continue;
        for (const attribute of ['title', 'aria-label', 'placeholder', 'alt']) add(node.getAttribute(attribute));
      }
    }
    return [...found];
  });

// The same way through the page whatever it is called: by keys and marks.
async function screens(page: Page, transport: string): Promise<Set<string>> {
  const all = new Set<string>();
  const look = async () => {
    for (const text of await read(page)) all.add(text);
  };
  const key = async (...keys: string[]) => {
    await page.locator('canvas.view').focus();
    for (const k of keys) await page.keyboard.press(k);
  };
  const opened = async (keys: string) => {
    await key(keys);
    await expect(page.locator('dialog')).toBeVisible();
    await page.waitForTimeout(150);
    await look();
    await page.keyboard.press('Escape');
    await expect(page.locator('dialog')).toHaveCount(0);
  };
  await look();
  // what is selected is told alike whatever is behind the page: without a server one scene, and all dialogs
  for (const name of transport === 'server' ? ['cradle', 'joint-zoo', 'connections', 'gears', 'forces', 'aero/vehicle-on-ice'] : ['connections']) {
    await ask(page, 'load', { gallery: name });
    await expect.poll(async () => (await state(page)).scene_name).toBe(`${name}.json`);
    // one of each kind in the tree
    const rows: { kind: string; name: string; type: string }[] = await page.evaluate(() => {
      const { store } = (window as any).studio;
      const kinds = ['body', 'joint', 'force', 'camera', 'light', 'instance', 'prefab', 'shot'] as const;
      return kinds.flatMap((kind) => {
        const seen = new Set<string>();
        const typeOf = (n: string) => (kind === 'joint' ? store.joint(n)?.type : kind === 'body' ? store.body(n)?.shape.type + store.body(n)?.motion : kind === 'camera' ? store.scene.cameras.find((c: any) => c.name === n)?.type : kind);
        return store.namesOf(kind).flatMap((n: string) => (seen.has(typeOf(n)) ? [] : (seen.add(typeOf(n)), [{ kind, name: n, type: typeOf(n) }])));
      });
    });
    for (const row of rows) {
      await page.evaluate(({ kind, name: n }) => (window as any).studio.store.select([n], kind), row);
      await page.waitForTimeout(60);
      await page.evaluate(() => document.querySelectorAll('details').forEach((d) => (d.open = true)));
      await look();
    }
    await page.evaluate(() => (window as any).studio.store.select([]));
    await page.waitForTimeout(60);
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => (d.open = true)));
    await look();
  }
  // a run with a change in mid-run, a sync point, curves; all dialogs
  await ask(page, 'load', { gallery: 'can-toss' });
  await expect.poll(async () => (await state(page)).scene_name).toBe('can-toss.json');
  await ask(page, 'step', { count: 60 });
  await expect.poll(async () => (await state(page)).end).toBe(60);
  await settled(page);
  await page.evaluate(() => (window as any).studio.store.select(['ball']));
  await page.locator('[data-material="rubber"]').click();
  await expect(page.locator('.toast').last()).toBeVisible();
  await look();
  await key('m', 'Shift+G');
  await expect.poll(() => page.evaluate(() => (window as any).studio.store.syncs.length)).toBe(1);
  await page.waitForTimeout(200);
  await look();
  for (const kind of ['sync', 'cut']) {
    await page.evaluate((k) => {
      const { store } = (window as any).studio;
      store.select(store.namesOf(k).slice(0, 1), k);
    }, kind);
    await page.waitForTimeout(60);
    await look();
  }
  await page.evaluate(() => (window as any).studio.store.select(['ball']));
  for (const keys of ['g', 'Shift+R', 'Control+i', 'Control+e', '?', 'Control+k', 'Control+o', 'F2', 'Shift+D', 'Control+g']) await opened(keys);
  if (transport === 'server') await opened('Control+s');
  await key('Shift+L');
  await page.locator('[data-do="drop-test"]').click();
  await page.waitForTimeout(400);
  await look();
  await key('Shift+L', 'Escape', 'Escape', 'c');
  await look();
  await key('Escape', 'Escape');
  // every tool says something
  for (const tool of await page.locator('.rail [data-tool]').evaluateAll((tools) => tools.map((x) => (x as HTMLElement).dataset.tool!))) {
    await page.locator(`.rail [data-tool="${tool}"]`).click();
    await look();
  }
  await key('Escape', 'Escape', 'Shift+F');
  await look();
  await key('Shift+F');
  return all;
}

// The same in both languages, or a word that files and programs are written with.
const alike = new Set(
  ['CSV', 'Film', 'Film MP4', 'Film WebM', 'Film GIF', 'POV-Ray', 'glTF', 'Stereo', 'Material', 'Name', 'PNG', 'Radius', 'Studio', 'Tenon', 'min', 'max'] // German as well
    .concat(['Motor', 'Wind'].flatMap((word) => ['', ' x', ' y', ' z', ' rx', ' ry', ' rz'].map((axis) => word + axis)))
    .concat('45 deg', 'deg', 'rad/s', 'N m/rad', 'N m s/rad', 'rad/rad, m/rad') // units, as files have them
    .concat('ball · material = "rubber"') // what a change did, in words of the file
    .concat('Can toss.', '◆ Sync 1', 'hue', 'thick', 'six-axis', 'shock absorber', 'Material Aluminium') // names
    .concat(['board', 'road', 'steel', 'tin', 'turf', 'tyre'].map((own) => `Material ${own}`)),
);

test('no English word is on a German page', async ({ page, studio, transport }) => {
  await visit(page, studio);
  const english = await screens(page, transport);
  await page.locator('[data-action="world"]').click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.locator('body[data-ready=true]')).toBeAttached();
  const german = await screens(page, transport);
  expect(german.size).toBeGreaterThan(300);
  const same = [...german].filter((text) => english.has(text) && /\p{L}{3,}/u.test(text) && !alike.has(text));
  expect(same.sort()).toEqual([]);
});

test('scenes of the gallery are told in German, and found by words of both languages', { tag: '@page' }, async ({ browser, studio }) => {
  const context = await browser.newContext({ locale: 'de-DE' });
  const page = await context.newPage();
  await visit(page, studio);
  await page.getByRole('button', { name: 'Galerie', exact: true }).click();
  const told = await page.locator('.card').evaluateAll((cards) => cards.map((card) => [(card as HTMLElement).dataset.scene!, card.querySelector('strong')!.textContent!, card.querySelector('span')!.textContent!]));
  const offers: { name: string; title: string; description: string }[] = await page.evaluate(() => (window as any).studio.store.hello.gallery);
  const english = told.filter(([name, title, text]) => offers.some((o) => o.name === name && (o.title === title || o.description === text)));
  expect(told.length).toBe(offers.length);
  expect(english.length, english.map(([name]) => name).join(', ')).toBeLessThan(0.1 * told.length); // a new scene may come before its words
  const search = page.locator('dialog').getByRole('searchbox');
  for (const word of ['Kugelstoß', "Newton's cradle"]) {
    await search.fill(word);
    await expect(page.locator('.card')).toHaveCount(1);
    await expect(page.locator('.card')).toContainText('Kugelstoßpendel');
  }
  await context.close();
});
