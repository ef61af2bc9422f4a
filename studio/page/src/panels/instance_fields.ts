// What the inspector shows of instances and prefabs.
import * as THREE from 'three';
import type { Answer } from '../link/link';
import type { Editor } from '../model/editor';
import { breakUp } from '../model/prefabs';
import type { Store } from '../model/store';
import { h } from '../ui/dom';
import { t } from '../ui/texts';
import { type Fields, plain, show } from './fields';

export function makeInstanceFields(store: Store, editor: Editor, { commit, field, input, axes, select }: Fields, placePrefab: (name: string) => void) {
  const instancesOf = (prefab: string) => store.scene!.instances.filter((i) => i.prefab === prefab).map((i) => i.name);
  const button = (label: string, perform: () => void, action: string) => h('button', { type: 'button', class: 'wide', 'data-do': action, onclick: perform }, label);
  const buttons = (...all: HTMLElement[]) => h('div', { class: 'field stack' }, ...all);
  // Above the fields of a part: whom a change concerns.
  function sharedNote(name: string): HTMLElement {
    const instance = store.instanceOf(name)!;
    const n = instancesOf(instance.prefab).length;
    return h(
      'p',
      { class: 'hint shared' },
      t(n === 1 ? 'in_prefab_one' : 'in_prefab', { name: instance.prefab, n }),
      h('button', { type: 'button', onclick: () => store.select([instance.name], 'instance') }, `${t('whole_instance')}: ${instance.name}`),
    );
  }
  const eulerOf = (q: number[]) => {
    const e = new THREE.Euler().setFromQuaternion(new THREE.Quaternion(q[1], q[2], q[3], q[0]), 'ZYX');
    return [e.x, e.y, e.z].map((v) => Number(THREE.MathUtils.radToDeg(v).toFixed(3)) + 0);
  };
  // Three cells for a key of the entry; what is written stays as it was written.
  function three(name: string, entry: Answer, key: string, values: number[], write: (v: unknown[]) => unknown): HTMLElement {
    const written: unknown[] = Array.isArray(entry[key]) && entry[key].length === 3 ? entry[key] : values;
    const cells = [0, 1, 2].map((i) => {
      const text = typeof written[i] === 'number' ? plain(written[i] as number, 6) : show(written[i]);
      return input(`${t(key)} ${'xyz'[i]}`, text, (value, element) => {
        const next = [...written];
        next[i] = value ?? 0;
        void commit(element, [{ op: 'set', path: ['instances', name, key], value: write(next) }], t(key));
      }).element;
    });
    return field(t(key), axes(cells));
  }
  function instanceFields(name: string): HTMLElement[] {
    const instance = store.scene!.instances.find((i) => i.name === name);
    const entry = store.entry('instances', name);
    if (!instance || !entry) return [];
    const out: HTMLElement[] = [
      field(t('name'), [input(t('name'), name, (value) => void editor.rename('instances', name, show(value))).element]),
      field(t('prefab'), [select(t('prefab'), store.namesOf('prefab').map((n) => [n, n]), instance.prefab, (value) => void editor.edit([{ op: 'set', path: ['instances', name, 'prefab'], value }], t('prefab')).catch(() => {}))]),
    ];
    // later its bodies are wherever they have moved to
    if (store.atStart) out.push(three(name, entry, 'position', instance.position, (v) => v), three(name, entry, 'orientation', eulerOf(instance.orientation), (v) => ({ euler_deg: v })));
    const parameters: Answer = store.scene!.document.prefabs?.[instance.prefab]?.parameters ?? {};
    for (const key of Object.keys(parameters)) {
      const given = entry.with?.[key];
      const set = (value: unknown, element: HTMLElement) => {
        const next = { ...entry.with, [key]: value };
        if (value === null) delete next[key];
        void commit(element, [{ op: 'set', path: ['instances', name, 'with'], value: Object.keys(next).length ? next : null }], key);
      };
      const cell = input(key, show(given), set, show(parameters[key]));
      out.push(field(key, [cell.element], given !== undefined ? () => set(null, cell.element) : undefined));
    }
    out.push(
      h('p', { class: 'facts' }, t('parts', { n: store.bodiesOf(name).length })),
      buttons(button(t('select_parts'), () => store.select(store.bodiesOf(name)), 'parts'), button(t('place_prefab'), () => placePrefab(instance.prefab), 'place'), button(`${t('break_up')} (Ctrl Shift G)`, () => void breakUp(store, editor, name), 'break')),
    );
    return out;
  }
  function prefabFields(name: string): HTMLElement[] {
    const prefab: Answer | undefined = store.scene!.document.prefabs?.[name];
    if (!prefab) return [];
    const users = instancesOf(name);
    const out = [field(t('name'), [input(t('name'), name, (value) => void editor.rename('prefabs', name, show(value))).element]), h('p', { class: 'facts' }, t('prefab_facts', { bodies: prefab.bodies?.length ?? 0, joints: (prefab.joints?.length ?? 0) + (prefab.connections?.length ?? 0), n: users.length }))];
    for (const [key, value] of Object.entries(prefab.parameters ?? {})) {
      const cell = input(key, show(value), (next, element) => void commit(element, [{ op: 'set', path: ['prefabs', name, 'parameters', key], value: next ?? 0 }], key));
      out.push(field(key, [cell.element]));
    }
    out.push(buttons(button(t('place_prefab'), () => placePrefab(name), 'place'), ...(users.length ? [button(t('select_instances'), () => store.select(users, 'instance'), 'instances')] : [])));
    return out;
  }
  return { instanceFields, prefabFields, sharedNote };
}
