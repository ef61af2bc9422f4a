// Overlays that have to be asked for: contacts with their forces, and trails.
import type { Editor } from '../model/editor';
import type { Store } from '../model/store';
import type { Stage } from '../viewport/stage';
import type { Views } from '../viewport/views';

export function makeAskedOverlays(store: Store, editor: Editor, stage: Stage, views: Views) {
  let askedAt = 0;
  async function refreshOverlays() {
    const now = performance.now();
    if (store.frame?.led || (store.running && now - askedAt < 250)) return;
    askedAt = now;
    if (store.show.contacts && !store.running) {
      const answer = await editor.quiet('contacts');
      stage.overlays.showContacts(answer?.contacts ?? []);
    } else stage.overlays.showContacts([]);
    const names = store.show.trails ? (store.selectionKind === 'body' && store.selection.length ? store.selection : store.namesOf('body').filter((n) => store.body(n)?.motion === 'dynamic')).slice(0, 12) : [];
    const answer = names.length ? await editor.quiet('series', { quantities: names.flatMap((n) => ['x', 'y', 'z'].map((q) => `body:${n}.${q}`)), most: 800 }) : null;
    stage.overlays.showTrails(
      names.map((_, i) => {
        const [x, y, z] = [0, 1, 2].map((k) => (answer?.values[3 * i + k] ?? []) as (number | null)[]);
        return new Float32Array(x.flatMap((v, k) => (v === null || y[k] === null || z[k] === null ? [] : [v, y[k]!, z[k]!])));
      }),
    );
    views.redraw();
  }
  let overlayTimer = 0;
  const overlaysSoon = () => {
    if (!store.show.contacts && !store.show.trails) return;
    overlayTimer ||= window.setTimeout(() => ((overlayTimer = 0), void refreshOverlays()), 60);
  };
  store.on(['frame', 'selection'], overlaysSoon);
  store.on('show', () => {
    askedAt = 0;
    void refreshOverlays();
  });
}
