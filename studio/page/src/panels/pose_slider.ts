// Where a joint stands: live while it runs, and a slider that sets it while time stands still. The
// mechanism follows; what it did is one edit when the slider is let go.
import type { Editor } from '../model/editor';
import { type Axis, coordinate, turns } from '../model/joint_model';
import type { Joint, Store } from '../model/store';
import { h } from '../ui/dom';
import { t } from '../ui/texts';
import { tidyNumber } from './fields';

export function makePoseSlider(store: Store, editor: Editor, live: (refresh: () => void) => void) {
  // the slider under the hand outlives repaints
  let held: HTMLElement | null = null;

  return (joint: Joint, axis: Axis, label: string): HTMLElement => {
    const round = turns(axis);
    const scale = round ? 180 / Math.PI : 1;
    const known = joint.free?.find((f) => f.axis === axis);
    const tilt = (axis === 'ry' || axis === 'rz') && joint.type !== 'universal';
    let near = known?.min !== undefined && known.max !== undefined ? (known.min + known.max) / 2 : 0;
    const now = () => (near = coordinate(store, joint, axis, near));
    const first = now();
    const reach = round ? (tilt ? Math.PI / 2 : Math.PI) : Math.max(0.5, 2 * Math.abs(first));
    // without limits the window goes along: around where it stands
    let [lo, hi] = [0, 0];
    const aim = (middle: number) => {
      lo = Math.max(known?.min ?? middle - reach, -1e4);
      hi = Math.min(known?.max ?? middle + reach, 1e4);
    };
    aim(Math.abs(first) < reach && round ? 0 : first);
    const range = h('input', { type: 'range', min: lo * scale, max: hi * scale, step: round ? 0.1 : Number(((hi - lo) / 1000).toPrecision(1)) || 0.001, 'aria-label': label });
    const number = h('input', { type: 'text', class: 'short', 'aria-label': `${label} (${round ? 'deg' : 'm'})`, spellcheck: 'false' });
    const problem = h('div', { class: 'problem', role: 'alert' });
    const shown = (value: number) => String(tidyNumber(Number((value * scale).toFixed(round ? 2 : 4))));
    const refresh = () => {
      if (held === range) return;
      const value = now();
      const edge = 0.02 * (hi - lo);
      if ((known?.min === undefined && value < lo + edge) || (known?.max === undefined && value > hi - edge)) {
        aim(value);
        [range.min, range.max] = [String(lo * scale), String(hi * scale)];
      }
      range.value = String(value * scale);
      if (document.activeElement !== number) number.value = shown(value);
    };

    // one request at a time; where the hand is by then goes out after the answer
    let chain: Promise<unknown> = Promise.resolve();
    let wanted = 0;
    let sending = false;
    let begun = false;
    const begin = () => {
      if (begun) return;
      begun = true;
      range.dataset.typing = 'true'; // no repaint under the hand
      const lead = () => editor.request('drag', { joint: joint.name, axis });
      // at the start it changes the document, in which bodies of arrays have no place of their own
      const generated = store.atStart && [joint.a, joint.b].some((n) => store.body(n)?.motion === 'dynamic' && store.body(n)?.own === false);
      chain = generated ? editor.expandFor().then(lead, () => null) : lead();
    };
    const send = () => {
      if (sending) return;
      sending = true;
      chain = chain.then(async () => {
        const value = wanted;
        const answer = await editor.quiet('drag_move', { value });
        sending = false;
        if (!answer) return;
        const miss = answer.miss > 1e-3 * Math.max(1, Math.abs(value));
        problem.textContent = miss ? t('out_of_reach', { d: `${shown(answer.miss)} ${round ? 'deg' : 'm'}` }) : '';
        number.value = shown(answer.value);
        if (wanted !== value && begun) send();
      });
    };
    const end = () => {
      held = null;
      if (!begun) return;
      begun = false;
      delete range.dataset.typing;
      const last = wanted;
      chain = chain
        .then(() => editor.quiet('drag_move', { value: last }))
        .then(() => editor.request('drag_end', { keep: true }));
    };
    range.oninput = () => {
      held = range;
      wanted = Number(range.value) / scale;
      begin();
      send();
    };
    range.onchange = end;
    number.onkeydown = (e) => {
      e.stopPropagation();
      if (e.key === 'Enter') number.blur();
      if (e.key === 'Escape') ((number.value = shown(now())), number.blur());
    };
    number.onchange = () => {
      const value = Number(number.value.replace(',', '.').replace(/\s*(deg|°|m)\s*$/, ''));
      if (!Number.isFinite(value) || number.value.trim() === '') return refresh();
      wanted = value / scale;
      begin();
      send();
      end();
    };
    refresh();
    live(refresh);
    return h('div', { class: 'field pose', 'data-axis': axis }, h('div', { class: 'label' }, h('span', {}, label, h('small', { class: 'unit' }, round ? 'deg' : 'm'))), h('div', { class: 'controls' }, range, number), problem);
  };
}
