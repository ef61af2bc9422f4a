// What the inspector shows of moments of the run: sync points, and changes in mid-run.
import type { Editor } from '../model/editor';
import type { Store } from '../model/store';
import { h } from '../ui/dom';
import { t } from '../ui/texts';
import { type Fields, show } from './fields';

export function makeMomentFields(store: Store, editor: Editor, { field, input, select }: Fields, pictureOf: (sync: number) => string | null) {
  const timeOf = (step: number) => Number(store.timeOf(step).toFixed(4));
  // Seconds; with a unit or bare.
  const stepOf = (value: unknown) => store.stepOf(Number(String(value).replace(/s$/, '').trim()));
  const button = (label: string, action: string, perform: () => void) => h('button', { type: 'button', class: 'wide', 'data-do': action, onclick: perform }, label);
  function syncFields(id: string): HTMLElement[] {
    const sync = store.syncs.find((s) => String(s.id) === id);
    if (!sync) return [];
    const move = (value: unknown) => Number.isFinite(stepOf(value)) && void editor.request('sync', { move: sync.id, step: Math.max(0, stepOf(value)) });
    const picture = pictureOf(sync.id);
    return [
      ...(picture ? [h('img', { class: 'moment', src: picture, alt: t('moment_of', { name: sync.name, t: timeOf(sync.step) }) })] : []),
      field(t('name'), [input(t('name'), sync.name, (value) => void editor.rename('sync', id, show(value))).element]),
      field(t('time'), [input(t('time'), `${timeOf(sync.step)}`, move).element]),
      h('div', { class: 'field stack' }, button(t('go_there'), 'go', () => void editor.seek(sync.step)), button(t('link_here'), 'link', () => void editor.seek(sync.step).then(() => dispatchEvent(new Event('tenon-link')))), button(t('delete'), 'remove', () => void editor.remove())),
    ];
  }
  function cutFields(id: string): HTMLElement[] {
    const cut = store.takes.find((x) => String(x.id) === id);
    if (!cut) return [];
    const move = (value: unknown) => Number.isFinite(stepOf(value)) && void moveCut(editor, store, cut.id, stepOf(value));
    return [
      h('p', { class: 'hint' }, t('cut_hint')),
      field(t('name'), [input(t('name'), cut.label, (value) => void editor.rename('cut', id, show(value))).element]),
      field(t('time'), [input(t('time'), `${timeOf(cut.at)}`, move).element]),
      cut.changes ? h('ul', { class: 'changes' }, ...(cut.what ?? []).map((text) => h('li', {}, text)), ...(cut.changes > (cut.what?.length ?? 0) ? [h('li', {}, t('changes', { n: cut.changes - (cut.what?.length ?? 0) }))] : [])) : h('p', { class: 'facts' }, t('pulled')),
      h(
        'div',
        { class: 'field stack' },
        button(t('go_there'), 'go', () => void editor.seek(cut.at)),
        ...(cut.pull ? [button(t('pull_force'), 'pull', () => void pullToForces(editor, store, cut.id))] : []),
        button(t('without_cut'), 'remove', () => void editor.remove()),
      ),
    ];
  }
  // From when the film is seen through which camera.
  function shotFields(index: number): HTMLElement[] {
    const { shots, cameras } = store.scene!;
    const shot = shots[index];
    if (!shot) return [];
    const put = async (change: Partial<typeof shot>) => {
      const changed = { ...shot, ...change };
      const all = shots.map((s, i) => (i === index ? changed : s));
      const answer = await editor.setShots(all, t('shot'));
      if (answer) store.select([String([...all].sort((a, b) => a.t - b.t).indexOf(changed))], 'shot');
    };
    const move = (value: unknown) => {
      const time = Number(String(value).replace(/s$/, '').trim());
      if (Number.isFinite(time)) void put({ t: Math.max(0, time) });
    };
    const through = select(t('camera'), cameras.map((c): [string, string] => [c.name, c.name]), shot.camera, (camera) => void put({ camera }));
    return [
      field(t('time'), [input(t('time'), `${Number(shot.t.toFixed(4))}`, move).element]),
      field(t('camera'), [through]),
      h('div', { class: 'field stack' }, button(t('go_there'), 'go', () => void editor.request('seek', { time: shot.t })), button(t('delete'), 'remove', () => void editor.remove())),
    ];
  }
  return { syncFields, cutFields, shotFields };
}

// The change is made at another time instead; the new one is selected.
export async function moveCut(editor: Editor, store: Store, take: number, step: number) {
  const answer = await editor.request('cut', { take, step: Math.max(1, step) });
  const there = answer && store.takes.find((x) => x.chain && x.at === answer.step);
  if (there) store.select([String(there.id)], 'cut');
}
export async function pullToForces(editor: Editor, store: Store, take: number) {
  const answer = await editor.request('pull', { take });
  if (answer) store.select([answer.forces[0]], 'force');
}
