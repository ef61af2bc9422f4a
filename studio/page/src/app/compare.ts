// Two takes side by side, seen by the same camera: the one on the stage at the left, where everything
// can be done as ever, another one at the right, at the same instant, with its own shapes and looks.
import type { Editor } from '../model/editor';
import { Store } from '../model/store';
import { type Toasts, h } from '../ui/dom';
import { t } from '../ui/texts';
import { Stage } from '../viewport/stage';
import type { Views } from '../viewport/views';

export function makeCompare(store: Store, editor: Editor, views: Views, toasts: Toasts, isDark: () => boolean) {
  const other = new Store();
  let stage: Stage | null = null;
  let single: typeof views.single = null;
  let span = 0; // of the camera view, before
  const labels = [0, 1].map((side) => h('div', { class: 'compare-label', hidden: true, 'data-side': side }));
  other.shareMeshes(store);

  const nameOf = (take: number | undefined) => {
    const label = store.takes.find((x) => x.id === take)?.label;
    return label || t('first_take');
  };
  const paint = () => {
    const on = store.split !== null;
    document.body.dataset.split = String(on);
    labels.forEach((label) => (label.hidden = !on));
    labels[0].textContent = `${t('take')}: ${nameOf(store.state?.take)}`;
    labels[1].textContent = `${t('take')}: ${nameOf(store.split ?? undefined)}`;
  };
  async function show(take: number | null) {
    if (take !== null && !store.takes.some((x) => x.id === take)) take = null;
    const fit = take !== null && store.split === null;
    if (take !== null && store.split === null) [single, span] = [views.single, views.views[3].span];
    store.split = take;
    if (take === null) {
      views.other = null;
      views.single = single;
      store.ghost = null;
      await editor.quiet('ghost', { take: null });
    } else {
      stage ??= new Stage(other);
      views.other = stage;
      views.single = 'camera';
      store.ghost = { take, scene: -1, names: [], poses: null };
      await editor.request('ghost', { take, scene: true });
    }
    views.resize();
    if (fit) views.views[3].span = 1.35 * span; // half as wide
    else if (take === null && span) views.views[3].span = span;
    paint();
    store.tell('show');
  }
  // With the take that was left last, or none.
  function toggle() {
    if (store.split !== null) return void show(null);
    const others = store.takes.filter((x) => x.own && x.id !== store.state?.take);
    if (!others.length) return toasts.show(t('one_take'), 'error');
    void show(others[others.length - 1].id);
  }
  store.on('ghost', () => {
    if (store.split === null || !stage) return;
    if (store.ghostView) {
      other.take({ ...store.ghostView, event: 'scene' });
      store.ghostView = null;
      stage.rebuild(isDark());
    }
    if (store.ghostFrame) other.accept({ ...store.ghostFrame, ghost: false });
    stage.move();
    views.redraw();
  });
  store.on(['takes', 'state'], () => {
    if (store.split === null) return;
    // the one beside is gone, or is on the stage itself now
    if (!store.takes.some((x) => x.id === store.split) || store.state?.take === store.split) void show(null);
    else paint();
  });
  return { toggle, show, labels, theme: () => stage?.theme(isDark()) };
}
