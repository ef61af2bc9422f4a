// Keeping the work: every change in the browser, all of it in an address, and back after a reload.
import { type Answer, type EngineLink } from '../link/link';
import type { Editor } from '../model/editor';
import type { Store } from '../model/store';
import { askFor } from '../panels/dialogs';
import type { Toasts } from '../ui/dom';
import { t } from '../ui/texts';
import type { Views } from '../viewport/views';
import { packLink, unpackLink } from './link_text';

export function makeKeeper(store: Store, editor: Editor, link: () => EngineLink, views: Views, toasts: Toasts, sendFiles: (work: string) => Promise<void>) {
  let keepTimer = 0;
  let full = false;
  function keepSoon() {
    clearTimeout(keepTimer);
    keepTimer = window.setTimeout(keep, 400);
  }
  async function keep() {
    if (!store.connected) return;
    const answer = await link().request('project').catch(() => null);
    if (!answer) return;
    const camera = cameraState();
    try {
      localStorage.setItem('tenon.work', JSON.stringify({ source: store.hello.source ?? '', project: answer.project, camera, single: views.single, marks: marks() }));
      full = false;
    } catch {
      if (!full) toasts.show(t('storage_full'), 'error');
      full = true;
    }
  }
  setInterval(() => store.running && void keep(), 5000); // a long run as well
  function kept(): Answer | null {
    try {
      return JSON.parse(localStorage.getItem('tenon.work') ?? 'null');
    } catch {
      return null;
    }
  }
  const marks = () => ({ hidden: [...store.hidden], locked: [...store.locked] });
  function cameraState() {
    return views.views.map((v) => ({ target: v.target.toArray(), span: v.span, yaw: v.yaw, pitch: v.pitch }));
  }
  // What came in the address is opened once; it replaces nothing that is kept until it is changed.
  async function sent(): Promise<Answer | null> {
    if (!location.hash.startsWith('#s=')) return null;
    const text = location.hash.slice(3);
    history.replaceState(null, '', location.pathname + location.search);
    const found = await unpackLink(text).catch(() => null);
    if (!found?.project) toasts.show(t('link_bad'), 'error');
    return found?.project ? { ...found, source: store.hello.source ?? '' } : null;
  }
  // Loaded, and here: what is told of a scene comes after the answer.
  async function opened(project: Answer) {
    const answer = await link().request('load', { project }).catch(() => null);
    for (let i = 0; answer && store.scene?.name !== answer.name && i < 200; ++i) await new Promise((done) => setTimeout(done, 10));
  }
  // After the hello: what was sent in the address, else what was kept. The name of the scene whose
  // views are back.
  async function restore(): Promise<string | null> {
    const linked = await sent();
    const work = linked ?? kept();
    const mine = work && work.source === (store.hello.source ?? '');
    if (linked) await opened(linked.project);
    else if (store.hello.fresh && mine) {
      await sendFiles(JSON.stringify(work.project));
      await opened(work.project);
      if (work.project.takes.length > 1 || work.project.step > 0) toasts.show(t('restored'));
    }
    if (!mine || work.project.name !== store.scene?.name) return null;
    views.single = work.single ?? null;
    views.resize();
    work.camera?.forEach((c: Answer, i: number) => {
      const v = views.views[i];
      v.target.fromArray(c.target);
      Object.assign(v, { span: c.span, yaw: c.yaw, pitch: c.pitch });
    });
    for (const what of ['hidden', 'locked'] as const) store.mark(what, work.marks?.[what] ?? [], true);
    views.redraw();
    return work.project.name;
  }

  // Everything in the address; nothing leaves the machine.
  async function copyLink() {
    const answer = await editor.request('project');
    if (!answer) return;
    const fragment = await packLink({ project: answer.project, camera: cameraState(), single: views.single, marks: marks() });
    const url = new URL(location.href);
    // a site can be opened by others; a local server only here and now
    url.hash = `s=${fragment}`;
    if (fragment.length > 32000) return toasts.show(t('link_long', { n: Math.round(fragment.length / 1000) }), 'error');
    await navigator.clipboard.writeText(url.href).then(
      () => toasts.show(t('link_copied', { n: (fragment.length / 1000).toFixed(1) })),
      () => askFor(t('copy_link'), [{ label: 'URL', value: url.href }], () => {}),
    );
    document.body.dataset.link = url.href;
  }
  return { keep, keepSoon, restore, copyLink };
}
