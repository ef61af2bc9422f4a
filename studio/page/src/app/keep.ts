// Keeping the work: every change in the browser, all of it in an address, and back after a reload.
import { type Answer, type EngineLink, Refusal } from '../link/link';
import type { Editor } from '../model/editor';
import type { Store } from '../model/store';
import { askFor } from '../panels/dialogs';
import type { Toasts } from '../ui/dom';
import { t } from '../ui/texts';
import type { Views } from '../viewport/views';
import { packLink, unpackLink } from './link_text';
import { hasWork, keepWork } from './recent';
import { type Slot, adoptSlot, dropSlot, writeSlot } from './slots';

// In the frame of another page: one moment to play with, which keeps nothing.
export const isEmbedded = location.hash.startsWith('#e=');

export function makeKeeper(store: Store, editor: Editor, link: () => EngineLink, views: Views, toasts: Toasts, sendFiles: (work: string) => Promise<void>) {
  let keepTimer = 0;
  let full = false;
  let settled = false; // what was kept is back: from then on it may be written over
  let opened = false; // somebody has chosen what is here
  function keepSoon() {
    clearTimeout(keepTimer);
    keepTimer = window.setTimeout(keep, 400);
  }
  async function keep() {
    if (!store.connected || !settled || isEmbedded) return;
    const answer = await link().request('project').catch(() => null);
    if (!answer || !settled) return;
    const { project } = answer;
    const room = await writeSlot({ source: source(), when: Date.now(), empty: !opened && !isMarked() && !hasWork(project), project, camera: cameraState(), single: views.single, marks: marks() });
    if (!room && !full) toasts.show(t('storage_full'), 'error');
    full = !room;
  }
  const source = (): string => store.hello.source ?? '';
  setInterval(() => store.running && void keep(), 5000); // a long run as well
  const isMarked = () => store.hidden.size + store.locked.size > 0; // nobody hides in what nobody looks at
  const marks = () => ({ hidden: [...store.hidden], locked: [...store.locked] });
  function cameraState() {
    return views.views.map((v) => ({ target: v.target.toArray(), span: v.span, yaw: v.yaw, pitch: v.pitch }));
  }
  // What came in the address is opened once; it replaces nothing that is kept until it is changed.
  async function sent(): Promise<Answer | null> {
    if (!location.hash.startsWith('#s=') && !isEmbedded) return null;
    const text = location.hash.slice(3);
    if (!isEmbedded) history.replaceState(null, '', location.pathname + location.search);
    const found = await unpackLink(text).catch(() => null);
    if (!found?.project) toasts.show(t('link_bad'), 'error');
    return found?.project ? found : null;
  }
  // Loaded, and here: what is told of a scene comes after the answer. What is refused is told, and
  // lies with the earlier work. Throws where the connection is lost.
  async function load(project: Answer): Promise<boolean> {
    try {
      const answer = await link().request('load', { project });
      for (let i = 0; store.scene?.name !== answer.name && i < 200; ++i) await new Promise((done) => setTimeout(done, 10));
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await keepWork(project);
      toasts.show(t('work_refused', { name: project.name, why: error.message }), 'error');
      return false;
    }
  }
  // A link takes the place of what is here: that is earlier work then.
  async function followLink(linked: Answer, work: Slot | null): Promise<boolean> {
    const here = store.hello.fresh ? work?.project : (await link().request('project')).project;
    if (!(await load(linked.project))) return false;
    if (here && hasWork(here)) await keepWork(here);
    return true;
  }
  // After the hello: what was sent in the address, else what was kept. The name of the scene whose
  // views are back. `suspect`: the engine has just died twice, perhaps of what was kept.
  async function restore(suspect = false): Promise<string | null> {
    settled = false;
    const linked = await sent();
    let work = isEmbedded ? null : await adoptSlot(source(), store.hello.fresh);
    let shown: Answer | null = work;
    try {
      if (linked && (await followLink(linked, work))) shown = linked;
      else if (suspect && work && store.hello.fresh) {
        await keepWork(work.project);
        await dropSlot(source());
        toasts.show(t('work_suspect', { name: work.project.name }), 'error');
        shown = work = null;
      } else if (store.hello.fresh && work && !work.empty) {
        await sendFiles(JSON.stringify(work.project));
        if (!(await load(work.project))) shown = null;
        else if (hasWork(work.project)) toasts.show(t('restored'));
      }
    } catch {
      return null; // the engine has gone: what is kept stays until it is back
    }
    opened = !!linked || (!!work && !work.empty);
    settled = true;
    keepSoon();
    if (!shown || shown.project.name !== store.scene?.name) return null;
    views.single = shown.single ?? null;
    views.resize();
    shown.camera?.forEach((c: Answer, i: number) => {
      const v = views.views[i];
      v.target.fromArray(c.target);
      Object.assign(v, { span: c.span, yaw: c.yaw, pitch: c.pitch });
    });
    for (const what of ['hidden', 'locked'] as const) store.mark(what, shown.marks?.[what] ?? [], true);
    views.redraw();
    return shown.project.name;
  }
  // Something else was opened.
  const keepOpened = () => ((opened = true), void keep());
  const unsettle = () => (settled = false);

  // Everything in the address; nothing leaves the machine.
  async function copyLink() {
    const answer = await editor.request('project');
    if (!answer) return;
    const fragment = await packLink({ project: answer.project, camera: cameraState(), single: views.single, marks: marks() });
    const url = new URL(location.href);
    // a site can be opened by others; a local server only here and now
    url.hash = `s=${fragment}`;
    if (fragment.length > 32000) return toasts.show(t('link_long', { n: Math.round(fragment.length / 1000) }), 'error');
    const copied = store.hello.capabilities?.includes('files') ? 'link_copied_here' : 'link_copied';
    await navigator.clipboard.writeText(url.href).then(
      () => toasts.show(t(copied, { n: (fragment.length / 1000).toFixed(1) })),
      () => askFor(t('copy_link'), [{ label: 'URL', value: url.href }], () => {}),
    );
    document.body.dataset.link = url.href;
  }
  // The same as a frame for other pages; of sites alone, a local server shows itself to nobody else.
  async function copyEmbed() {
    const answer = await editor.request('project');
    if (!answer) return;
    const fragment = await packLink({ project: answer.project, camera: cameraState(), single: views.single, marks: marks() });
    const url = new URL(location.href);
    url.hash = `e=${fragment}`;
    if (fragment.length > 32000) return toasts.show(t('link_long', { n: Math.round(fragment.length / 1000) }), 'error');
    const title = (store.scene?.title || store.scene?.name || 'Tenon').replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    const code = `<iframe src="${url.href}" title="${title}" width="800" height="500" style="border: 0" allow="fullscreen"></iframe>`;
    await navigator.clipboard.writeText(code).then(
      () => toasts.show(t('embed_copied')),
      () => askFor(t('copy_embed'), [{ label: 'HTML', value: code }], () => {}),
    );
    document.body.dataset.embedCode = code;
  }
  return { keepOpened, keepSoon, restore, unsettle, copyLink, copyEmbed };
}
