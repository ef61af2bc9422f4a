// The scene and the instant in words, for whoever does not see them.
import type { Store } from '../model/store';
import { materialText } from '../ui/session_labels';
import { t } from '../ui/texts';

function counted(names: string[]): string {
  const count = new Map<string, number>();
  for (const name of names) count.set(name, (count.get(name) ?? 0) + 1);
  return [...count].map(([name, n]) => `${n} × ${name}`).join(', ');
}
const list = (names: string[], most: number) => names.slice(0, most).join(', ') + (names.length > most ? t('and_more', { n: names.length - most }) : '');
const number = (x: number) => Number(x.toPrecision(3));

export function describeScene(store: Store): string[] {
  const { scene, frame, state } = store;
  if (!scene) return [];
  const out = [`${scene.title || scene.name}.`];
  const bodies = scene.bodies;
  const moving = bodies.filter((b) => b.motion === 'dynamic');
  const word = (type: string) => (t(type) === type ? type.replaceAll('_', ' ') : t(type));
  out.push(t('tell_bodies', { n: bodies.length, moving: moving.length, shapes: counted(bodies.map((b) => word(b.shape.type))) }));
  if (moving.length) out.push(t('tell_places', { list: moving.slice(0, 8).map((b) => `${b.name} (${store.pose(b.name).slice(0, 3).map((v) => number(v)).join('; ')} m, ${materialText(b.material)})`).join(', ') + (moving.length > 8 ? t('and_more', { n: moving.length - 8 }) : '') }));
  if (scene.joints.length) out.push(t('tell_joints', { n: scene.joints.length, kinds: counted(scene.joints.map((j) => word(j.type))) }));
  if (scene.forces.length) out.push(t('tell_forces', { list: list(scene.forces.map((f) => f.name), 6) }));
  if (frame && state) {
    const [kinetic, potential, , contacts] = frame.stats;
    out.push(t('tell_now', { t: frame.time.toFixed(2), end: store.timeOf(state.end).toFixed(2), contacts, energy: number(kinetic + potential), kinetic: number(kinetic) }));
  }
  const hits = store.events.filter((e) => e.kind === 'contact_begin' && e.step <= (frame?.step ?? 0)).slice(-3);
  if (hits.length) out.push(t('tell_hits', { list: hits.map((e) => `${e.a} – ${e.b} (${e.time.toFixed(2)} s, ${number(e.impulse)} N s)`).join(', ') }));
  const takes = store.takes.filter((x) => x.own).length;
  if (takes > 1) out.push(t('tell_takes', { n: takes }));
  if (store.selection.length) out.push(t('tell_selection', { list: list(store.selection, 6) }));
  return out;
}
