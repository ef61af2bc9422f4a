// Small screens: one view, and below it a sheet with three tabs. Everything else is the same page.
import type { Store } from '../model/store';
import { h } from '../ui/dom';
import { t } from '../ui/texts';
import type { Views } from '../viewport/views';

export const kPhone = '(max-width: 700px)';
const tabs = ['timeline', 'inspector', 'gallery'] as const;
type Tab = (typeof tabs)[number];

export function makePhone(store: Store, views: Views, parts: { timeline: HTMLElement; inspector: HTMLElement }, fillGallery: (into: HTMLElement) => void) {
  const media = matchMedia(kPhone);
  const gallery = h('section', { class: 'sheet-gallery', id: 'sheet-gallery', role: 'tabpanel', 'aria-label': t('gallery') });
  parts.timeline.id = 'sheet-timeline';
  parts.inspector.id = 'sheet-inspector';
  const buttons = tabs.map((tab) => h('button', { type: 'button', role: 'tab', 'data-tab': tab, 'aria-controls': `sheet-${tab}`, onclick: () => show(tab) }, t(tab)));
  const bar = h('div', { class: 'sheet-tabs', role: 'tablist', 'aria-label': t('sheet') }, ...buttons);
  let open: Tab = 'timeline';
  function show(tab: Tab) {
    open = tab;
    document.body.dataset.sheet = tab;
    for (const b of buttons) {
      const on = b.dataset.tab === tab;
      b.setAttribute('aria-selected', String(on));
      b.tabIndex = on ? 0 : -1;
    }
    if (tab === 'gallery' && !gallery.childElementCount) fillGallery(gallery);
  }
  bar.addEventListener('keydown', (e) => {
    const step = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
    if (!step) return;
    e.stopPropagation();
    show(tabs[(tabs.indexOf(open) + step + tabs.length) % tabs.length]);
    buttons[tabs.indexOf(open)].focus();
  });
  const apply = () => {
    document.body.dataset.phone = String(media.matches);
    if (media.matches) {
      views.single ??= 'camera';
      show(open);
    }
    views.resize();
  };
  media.addEventListener('change', apply);
  // a long press or a tap in the view is answered where its fields are
  store.on('selection', () => media.matches && store.selection.length && open === 'gallery' && show('inspector'));
  return { bar, gallery, apply, show };
}
