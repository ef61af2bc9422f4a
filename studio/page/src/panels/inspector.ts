// What is selected, in fields. A field takes what the scene format takes: numbers, units,
// expressions; the engine reads them, and says what is wrong under the field.
import * as THREE from 'three';
import { describe } from '../link/link';
import type { Editor, Operation } from '../model/editor';
import { inverse, poseOf, times } from '../model/prefabs';
import type { Body, Store } from '../model/store';
import { h } from '../ui/dom';
import { materialText } from '../ui/session_labels';
import { t } from '../ui/texts';
import { entryText } from './entry_text';
import { mistakes } from './status';
import { isBusy, makeFields, plain, show, tidyNumber } from './fields';
import { makeInstanceFields } from './instance_fields';
import { makeJointFields } from './joint_fields';
import { folded, makeMoreFields } from './more_fields';
import { makeMomentFields } from './moment_fields';
import { makeMotionFields } from './motion_fields';

export function makeInspector(store: Store, editor: Editor, lookThrough: (camera: string) => void, placePrefab: (name: string) => void, openMaterials: () => void, pictureOf: (sync: number) => string | null) {
  const body = h('div', { class: 'fields' });
  const heading = h('h2', {}, t('inspector'));
  const element = h('section', { class: 'panel inspector', 'aria-label': t('inspector') }, h('header', {}, heading), body);
  let live: (() => void)[] = [];
  const fields = makeFields(editor);
  const { commit, field, input, select, axes } = fields;
  const moments = makeMomentFields(store, editor, fields, pictureOf);
  const more = makeMoreFields(store, editor, fields);
  const motion = makeMotionFields(store, fields, element);
  const instances = makeInstanceFields(store, editor, fields, placePrefab);
  const joints = makeJointFields(store, editor, fields, element, (refresh) => live.push(refresh));

  const names = () => store.selection;
  const each = (key: string[], value: unknown): Operation[] => names().map((name) => ({ op: 'set', path: [...(store.source(name) ?? ['bodies', name]), ...key], value }));
  const common = <T>(get: (b: Body) => T): T | undefined => {
    const values = names().map((n) => store.body(n)).filter((b) => b !== undefined).map((b) => get(b!));
    return values.every((v) => JSON.stringify(v) === JSON.stringify(values[0])) ? values[0] : undefined;
  };
  const atStart = () => (store.state?.step ?? 0) === 0;

  // Three numbers; at the start as the document has them, later as they are.
  const vector = (label: string, key: string, now: (name: string) => number[], write: (values: unknown[]) => unknown) => {
    const cells = [0, 1, 2].map((i) =>
      input(`${label} ${'xyz'[i]}`, '', (value, element) => {
        const ops: Operation[] = names().map((name) => {
          const values: unknown[] = [...current(name)];
          values[i] = value ?? 0;
          return { op: 'set', path: [...((atStart() && store.source(name)) || ['bodies', name]), key], value: write(values) };
        });
        // rods follow what is moved by numbers, too
        const bare = typeof value === 'number' && key === 'position';
        const poses = new Map(bare ? names().filter((n) => store.source(n)?.[0] === 'bodies').map((n) => [n, { p: here(n).p.clone().setComponent(i, value as number), q: here(n).q }]) : []);
        void commit(element, [...ops, ...editor.rodOperations(poses)], label);
      }),
    );
    const current = (name: string): unknown[] => {
      const written = store.sourceEntry(name)?.[key];
      return atStart() && Array.isArray(written) && written.length === 3 ? written : now(name).map((v) => (Math.abs(v) < 1e-6 ? 0 : Number(v.toPrecision(6)))); // frames have seven digits
    };
    const refresh = () =>
      cells.forEach((cell, i) => {
        const all = names().map((n) => current(n)[i]);
        const same = all.every((v) => v === all[0]);
        cell.element.placeholder = same ? '' : t('mixed');
        cell.refresh(same ? (typeof all[0] === 'number' ? plain(tidyNumber(all[0]), 5) : show(all[0])) : '');
      });
    refresh();
    live.push(refresh);
    return field(label, axes(cells.map((c) => c.element)));
  };
  // Where it is; at the start of what is in an instance, where it is in that.
  const here = (name: string) => {
    const pose = poseOf(store.pose(name));
    const instance = atStart() && store.source(name)?.[0] === 'prefabs' ? store.instanceOf(name) : undefined;
    return instance ? times(inverse(poseOf([...instance.position, ...instance.orientation])), pose) : pose;
  };
  const euler = (name: string) => {
    const { x, y, z, w } = here(name).q;
    // turns about the fixed axes x, then y, then z
    const e = new THREE.Euler().setFromQuaternion(new THREE.Quaternion(x, y, z, w), 'ZYX');
    return [e.x, e.y, e.z].map((v) => Number(THREE.MathUtils.radToDeg(v).toFixed(3)) + 0);
  };
  function shapeFields(): HTMLElement[] {
    const shape = common((b) => b.shape);
    const entry = store.sourceEntry(names()[0])?.shape ?? {};
    if (!shape) return [];
    const out: HTMLElement[] = shape.type === 'mesh' ? meshFields(entry) : [];
    for (const key of ['radius', 'height', 'length'] as const) {
      if (shape[key] === undefined) continue;
      const cell = input(t(key), show(entry[key] ?? shape[key]), (value, element) => void commit(element, each(['shape', key], value), t(key)));
      out.push(field(t(key), [cell.element]));
    }
    if (shape.size) {
      const written = Array.isArray(entry.size) ? entry.size : shape.size;
      const cells = [0, 1, 2].map((i) =>
        input(`${t('size')} ${'xyz'[i]}`, show(written[i]), (value, element) => {
          const next = [...written];
          next[i] = value ?? written[i];
          void commit(element, each(['shape', 'size'], next), t('size'));
        }),
      );
      out.push(field(t('size'), axes(cells.map((c) => c.element))));
    }
    return out;
  }
  // How fast a body is at the playhead, as the engine has it; a number that is typed is a kick.
  function rateFields(name: string): HTMLElement[] {
    const words = ['vx', 'vy', 'vz', 'wx', 'wy', 'wz'];
    const now: number[] = [0, 0, 0, 0, 0, 0];
    const cells = words.map((_, i) => {
      const key = i < 3 ? 'velocity' : 'angular_velocity';
      return input(`${t(key)} ${'xyz'[i % 3]}`, '', (value, element) => {
        const all: unknown[] = now.slice(i < 3 ? 0 : 3, i < 3 ? 3 : 6).map((v) => Number(v.toPrecision(6)));
        all[i % 3] = value ?? 0;
        void commit(element, [{ op: 'set', path: ['bodies', name, key], value: all }], t(key));
      });
    });
    let asked = -1;
    const refresh = async () => {
      const step = Math.floor(store.frame?.step ?? 0);
      if (step === asked || !cells[0].element.isConnected) return;
      asked = step;
      const answer = await editor.quiet('series', { quantities: words.map((w) => `body:${name}.${w}`), from: step, to: step });
      words.forEach((_, i) => {
        const v = answer?.values?.[i]?.[0];
        if (typeof v !== 'number') return;
        now[i] = v;
        cells[i].refresh(plain(Math.abs(v) < 1e-6 ? 0 : v, 5));
      });
    };
    live.push(() => void refresh());
    setTimeout(() => void refresh());
    const part = (from: number) => axes(cells.slice(from, from + 3).map((c) => c.element));
    return [field(t('velocity'), part(0)), field(t('angular_velocity'), part(3))];
  }
  // How a file of triangles is read.
  function meshFields(entry: Record<string, any>): HTMLElement[] {
    const set = (key: string, value: unknown) => void commit(element, each(['shape', key], value), t(key));
    const scale = input(t('scale'), show(entry.scale), (value) => set('scale', value), '1');
    return [
      ...(entry.file ? [h('p', { class: 'facts' }, entry.file)] : []),
      field(t('units'), [select(t('units'), ['m', 'cm', 'mm', 'in', 'ft'].map((u) => [u, u]), entry.units ?? 'm', (value) => set('units', value === 'm' ? null : value))]),
      field(t('up'), [select(t('up'), [['y', 'y'], ['z', 'z']], entry.up ?? 'y', (value) => set('up', value === 'y' ? null : value))]),
      field(t('scale'), [scale.element]),
    ];
  }
  function materialField(): HTMLElement {
    const value = common((b) => b.material);
    const chips = Object.entries(store.scene!.materials).map(([name, look]) => {
      const c = look.color.map((v) => Math.round(255 * v));
      return h('button', { type: 'button', class: 'swatch', 'aria-pressed': name === value, 'aria-label': `${t('material')} ${materialText(name)}`, title: name, 'data-material': name, onclick: (e: Event) => void commit(e.currentTarget as HTMLElement, each(['material'], name), `${t('material')}: ${materialText(name)}`) }, h('span', { style: `background: rgb(${c})` }), h('em', {}, materialText(name)));
    });
    return field(t('material'), [h('div', { class: 'swatches' }, ...chips, h('button', { type: 'button', class: 'wide all', 'data-do': 'materials', onclick: openMaterials }, t('edit_materials')))]);
  }
  function bodyFields(): HTMLElement[] {
    const single = names().length === 1 ? store.body(names()[0]) : undefined;
    const entry = single ? store.sourceEntry(single.name) : undefined;
    const out: HTMLElement[] = [];
    if (single && store.source(single.name)?.[0] === 'prefabs') out.push(instances.sharedNote(single.name));
    else if (single && !single.own) {
      out.push(h('p', { class: 'hint' }, t('generated'), h('button', { type: 'button', onclick: () => void editor.request('expand') }, t('expand'))));
    }
    if (single?.own) {
      const name = input(t('name'), single.name, (value) => void editor.rename('bodies', single.name, show(value)));
      out.push(field(t('name'), [name.element]));
    }
    out.push(materialField(), ...shapeFields());
    if (common((b) => b.shape.type) !== 'plane') {
      out.push(motion.motionField(names(), common((b) => b.motion)));
      if (single?.motion === 'kinematic') out.push(...motion.scriptFields(single.name));
    }
    out.push(vector(t('position'), 'position', (n) => here(n).p.toArray(), (v) => v));
    out.push(vector(t('orientation'), 'orientation', euler, (v) => ({ euler_deg: v })));
    if (common((b) => b.motion) === 'dynamic') {
      const mass = common((b) => b.mass);
      const cell = input(t('mass'), show(entry?.mass), (value, element) => void commit(element, each(['mass'], value), t('mass')), mass ? `${plain(mass)} kg` : t('mixed'));
      out.push(field(t('mass'), [cell.element], entry?.mass !== undefined ? () => void editor.edit(each(['mass'], null), t('reset')).catch(() => {}) : undefined));
      const start = (key: string) => (n: string) => {
        const v = store.sourceEntry(n)?.[key];
        return Array.isArray(v) && atStart() ? v : [0, 0, 0];
      };
      if (atStart()) {
        out.push(vector(t('velocity'), 'velocity', start('velocity'), (v) => v));
        out.push(vector(t('angular_velocity'), 'angular_velocity', start('angular_velocity'), (v) => v));
      } else if (single) out.push(...rateFields(single.name));
    }
    const look = common((b) => b.look);
    const hex = look ? '#' + look.color.map((v) => Math.round(255 * v).toString(16).padStart(2, '0')).join('') : '#888888';
    const color = h('input', { type: 'color', value: hex, 'aria-label': t('color') });
    color.onchange = () => void commit(color, each(['color'], color.value), t('color'));
    out.push(field(t('color'), [color], entry?.color !== undefined ? () => void editor.edit(each(['color'], null), t('reset')).catch(() => {}) : undefined));
    out.push(folded(t('more'), ...more.bodyMore(), ...(single && entry ? [entryText(editor, store.source(single.name)!, entry)] : [])));
    return out;
  }
  function jointFields(name: string): HTMLElement[] {
    const joint = store.joint(name);
    if (!joint) return [];
    const entry = store.sourceEntry(name, joint.section);
    const path = store.source(name, joint.section);
    const out: HTMLElement[] = joint.own ? [nameField(joint.section, name)] : path ? [instances.sharedNote(name)] : [];
    return [...out, ...joints(joint), ...(entry && path ? [entryText(editor, path, entry)] : [])];
  }
  // One entry of the document, key by key.
  const editorOf = (path: (string | number)[], entry: Record<string, any>) => {
    const set = (key: string, value: unknown, element: HTMLElement) => void commit(element, [{ op: 'set', path: [...path, key], value }], t(key));
    const one = (key: string, placeholder = '') => field(t(key), [input(t(key), show(entry[key]), (value, element) => set(key, value, element), placeholder).element], entry[key] !== undefined ? () => set(key, null, element) : undefined);
    const three = (key: string, otherwise: unknown[]) => {
      const written: unknown[] = Array.isArray(entry[key]) ? entry[key] : otherwise;
      const cells = [0, 1, 2].map((i) =>
        input(`${t(key)} ${'xyz'[i]}`, show(written[i]), (value, element) => {
          const next = [...written];
          next[i] = value ?? 0;
          set(key, next, element);
        }),
      );
      return field(t(key), axes(cells.map((c) => c.element)));
    };
    const word = (key: string, options: [string, string][], value: string, write: (v: string) => unknown = (v) => v) => field(t(key), [select(t(key), options, value, (v) => set(key, write(v), element))]);
    return { set, one, three, word };
  };
  const bodyNames = (): [string, string][] => store.namesOf('body').slice(0, 500).map((n) => [n, n]);
  function nameField(section: string, name: string): HTMLElement {
    return field(t('name'), [input(t('name'), name, (value) => void editor.rename(section, name, show(value))).element]);
  }
  function forceFields(name: string): HTMLElement[] {
    const entry = store.entry('forces', name);
    const force = store.scene!.forces.find((f) => f.name === name);
    if (!entry || !force) return [h('p', { class: 'hint' }, t('generated'))];
    const e = editorOf(['forces', name], entry);
    const toward = entry.toward !== undefined;
    const change = (kind: string) => {
      const strong = Math.hypot(...force.force) || Math.abs(force.magnitude ?? 0) || 10;
      const other = bodyNames().find(([n]) => n !== force.body)?.[0];
      const set = (key: string, value: unknown): Operation => ({ op: 'set', path: ['forces', name, key], value });
      const ops = kind === 'toward' ? [set('force', null), set('torque', null), set('frame', null), set('toward', other ? { body: other } : {}), set('magnitude', strong)] : [set('toward', null), set('magnitude', null), set('frame', kind === 'body' ? 'body' : null), ...(toward ? [set('force', [0, strong, 0])] : [])];
      void commit(element, ops, t('frame'));
    };
    const out = [nameField('forces', name), e.word('body', bodyNames(), force.body), field(t('frame'), [select(t('frame'), [['world', t('world')], ['body', t('body')], ['toward', t('toward')]], toward ? 'toward' : force.frame, change)])];
    if (toward) out.push(field(t('toward'), [select(t('toward'), [['', t('world')], ...bodyNames()], entry.toward.body ?? '', (v) => e.set('toward', v ? { body: v } : {}, element))]), e.one('magnitude'));
    else out.push(e.three('force', [0, 0, 0]), e.three('torque', [0, 0, 0]));
    const ramp = Array.isArray(force.ramp) ? 'ramp' : force.curve ? 'curve' : 'even';
    out.push(e.three('point', [0, 0, 0]), e.one('from', '0 s'), e.one('until', '∞'));
    if (ramp !== 'curve') out.push(field(t('ramp'), [select(t('ramp'), [['even', t('even')], ['grow', t('grows')], ['fall', t('falls')]], ramp === 'even' ? 'even' : force.ramp![0] < force.ramp![1] ? 'grow' : 'fall', (v) => e.set('ramp', v === 'even' ? null : v === 'grow' ? { from: 0, to: 1 } : { from: 1, to: 0 }, element))]));
    return out;
  }
  function cameraFields(name: string): HTMLElement[] {
    const entry = store.entry('cameras', name);
    const camera = store.scene!.cameras.find((c) => c.name === name);
    if (!entry || !camera) return [];
    const e = editorOf(['cameras', name], entry);
    const out: HTMLElement[] = [nameField('cameras', name), h('div', { class: 'field' }, h('button', { type: 'button', class: 'wide', onclick: () => lookThrough(name) }, t('look_through')))];
    if (camera.auto) return out;
    out.push(e.word('type', ['fixed', 'orbit', 'follow', 'mounted', 'path'].map((x) => [x, t(`camera_${x}`)]), camera.type, (v) => (v === 'fixed' ? null : v)));
    if (camera.type !== 'path') out.push(e.word('body', [['', '–'], ...bodyNames()], camera.body, (v) => v || null));
    out.push(e.three('position', camera.position), e.three('look_at', camera.look_at), e.one('fov', '45 deg'));
    if (camera.type === 'orbit') out.push(e.one('period', '20 s'));
    if (camera.type === 'mounted') out.push(e.word('horizon', [['false', t('no')], ['true', t('yes')]], String(camera.horizon), (v) => (v === 'true' ? true : null)));
    if (camera.body) out.push(e.one('smoothing', '0 s'));
    return out;
  }
  function lightFields(name: string): HTMLElement[] {
    const at = store.namesOf('light').indexOf(name);
    const light = store.scene!.lights[at];
    if (!light) return [];
    const e = editorOf(store.path('light', name), store.scene!.document.lights?.[at] ?? {});
    const out = [e.word('type', [['sun', t('sun')], ['point', t('lamp')], ['ambient', t('ambient')]], light.type), e.one('intensity', '1')];
    if (light.type === 'sun') out.push(e.three('direction', light.direction));
    if (light.type === 'point') out.push(e.three('position', light.position));
    const hex = '#' + light.color.map((v) => Math.round(255 * v).toString(16).padStart(2, '0')).join('');
    const color = h('input', { type: 'color', value: hex, 'aria-label': t('color') });
    color.onchange = () => e.set('color', color.value, color);
    return [...out, field(t('color'), [color])];
  }
  function worldFields(): HTMLElement[] {
    const doc = store.scene!.document;
    const world = doc.world ?? {};
    const set = (path: string[], label: string) => (value: unknown, element: HTMLElement) => void commit(element, [{ op: 'set', path, value }], label);
    const gravity: unknown[] = Array.isArray(world.gravity) ? world.gravity : [0, -9.81, 0];
    const cells = [0, 1, 2].map((i) =>
      input(`${t('gravity')} ${'xyz'[i]}`, show(gravity[i]), (value, element) => {
        const next = [...gravity];
        next[i] = value ?? 0;
        set(['world', 'gravity'], t('gravity'))(next, element);
      }),
    );
    const out = [
      h('p', { class: 'hint' }, t('nothing')),
      field(t('title'), [input(t('title'), show(doc.title), set(['title'], t('title'))).element]),
      field(t('gravity'), axes(cells.map((c) => c.element))),
      more.planetField(gravity),
      field(t('duration'), [input(t('duration'), show(world.duration), set(['world', 'duration'], t('duration')), '10 s').element]),
      field(t('step'), [input(t('step'), show(world.step), set(['world', 'step'], t('step')), '1/60').element]),
      field(t('method'), [select(t('method'), ['impulse', 'force', 'displacement'].map((m) => [m, t(`method_${m}`)]), world.method ?? 'impulse', (v) => set(['world', 'method'], t('method'))(v === 'impulse' ? null : v, element))]),
      folded(t('more'), ...more.worldMore(), entryText(editor, ['world'], world)),
    ];
    return out;
  }
  const momentName = () => {
    const [id] = store.selection;
    if (store.selectionKind === 'sync') return `◆ ${store.syncs.find((s) => String(s.id) === id)?.name ?? ''}`;
    if (store.selectionKind === 'shot') return `${t('shot')}: ${store.scene?.shots[Number(id)]?.camera ?? ''}`;
    return store.selectionKind === 'cut' ? `✂ ${store.takes.find((x) => String(x.id) === id)?.label ?? ''}` : undefined;
  };
  const paint = () => {
    if (!store.scene) return;
    // a field that is being typed in stays
    if (isBusy(body)) return;
    const focused = body.contains(document.activeElement) ? document.activeElement?.getAttribute('aria-label') : null;
    // with what was marked in it: whoever is about to type over it does so
    const at = document.activeElement;
    const marked = focused && at instanceof HTMLInputElement && at.type === 'text' ? { from: at.selectionStart ?? 0, all: at.selectionStart === 0 && at.selectionEnd === at.value.length, to: at.selectionEnd ?? 0 } : null;
    live = [];
    const { selection, selectionKind } = store;
    heading.textContent = selection.length === 0 ? t('world') : selection.length === 1 ? (momentName() ?? selection[0]) : `${selection.length} ${t('bodies')}`;
    const errors = store.scene.errors.slice(0, 12).map((e) => h('li', {}, `${e.line ? `${e.line}:${e.column} ` : ''}${describe(e)}`));
    const list = errors.length ? [h('div', { class: 'mistakes', role: 'alert' }, h('strong', {}, mistakes(store.scene.errors.length)), h('ul', {}, ...errors))] : [];
    body.replaceChildren(...list, ...(selection.length === 0 ? worldFields() : selectionKind === 'joint' ? jointFields(selection[0]) : selectionKind === 'force' ? forceFields(selection[0]) : selectionKind === 'camera' ? cameraFields(selection[0]) : selectionKind === 'light' ? lightFields(selection[0]) : selectionKind === 'sync' ? moments.syncFields(selection[0]) : selectionKind === 'cut' ? moments.cutFields(selection[0]) : selectionKind === 'shot' ? moments.shotFields(Number(selection[0])) : selectionKind === 'instance' ? instances.instanceFields(selection[0]) : selectionKind === 'prefab' ? instances.prefabFields(selection[0]) : bodyFields()));
    const again = focused ? body.querySelector<HTMLElement>(`[aria-label="${CSS.escape(focused)}"]`) : null;
    again?.focus();
    if (marked && again instanceof HTMLInputElement) again.setSelectionRange(marked.all ? 0 : marked.from, marked.all ? again.value.length : marked.to);
  };
  store.on(['scene', 'selection'], paint);
  store.on('takes', () => (store.selectionKind === 'sync' || store.selectionKind === 'cut') && paint());
  let wasStart = true;
  store.on('state', () => {
    if (wasStart !== atStart()) paint();
    wasStart = atStart();
  });
  let soon = 0;
  store.on('frame', () => {
    soon ||= window.setTimeout(() => {
      soon = 0;
      live.forEach((refresh) => refresh());
    }, store.running ? (store.sparing ? 400 : 100) : 0);
  });
  return { element, paint };
}
