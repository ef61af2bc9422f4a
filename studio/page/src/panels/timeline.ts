// The timeline: transport, and a strip with ruler, sync points, events, takes and what is stored.
import type { Editor } from '../model/editor';
import type { Store } from '../model/store';
import { h, icon, oncePerPicture } from '../ui/dom';
import { t } from '../ui/texts';
import { moveCut } from './moment_fields';

const kRow = 22;
const kLane = 17; // of forces and shots
export function makeTimeline(store: Store, editor: Editor, showGhost: (take: number | null) => Promise<void>, compare: (take: number | null) => void) {
  const button = (name: string, label: string, key: string, perform: () => void) =>
    h('button', { type: 'button', class: 'icon', title: `${label} (${key})`, 'aria-label': label, 'data-action': name, onclick: perform }, icon(name));
  const play = button('play', t('play'), 'Space', () => void editor.togglePlay());
  play.classList.add('primary');
  const speed = h('select', { 'aria-label': t('speed'), class: 'speed' }, ...[0.1, 0.25, 0.5, 1, 2, 4].map((v) => h('option', { value: v, selected: v === 1 }, `${v}×`)));
  speed.onchange = () => {
    editor.speed = Number(speed.value);
    if (store.running) void editor.play(editor.speed);
  };
  const clock = h('output', { class: 'clock', 'aria-label': t('clock') }, '0.000 s');
  const transport = h(
    'div',
    { class: 'transport', role: 'toolbar', 'aria-label': t('timeline') },
    button('start', t('to_start'), 'Home', () => void editor.seek(0)),
    button('stepb', t('step_back'), '←', () => void editor.request('step', { count: -1 })),
    button('back', t('reverse'), 'J', () => void editor.play(-editor.speed)),
    play,
    button('stepf', t('step_forward'), '→', () => void editor.request('step', { count: 1 })),
    button('end', t('to_end'), 'End', () => void editor.seek(store.state?.end ?? 0)),
    button('event', t('next_event'), 'N', () => void editor.request('until', { kind: 'contact', body: store.selectionKind === 'body' && store.selection.length === 1 ? store.selection[0] : '' })),
    button('sync', t('add_sync'), 'M', () => void editor.request('sync', {})),
    speed,
    clock,
  );
  const takes = h('div', { class: 'takes', role: 'group', 'aria-label': t('takes') });
  const canvas = h('canvas', { class: 'strip', tabindex: 0, role: 'slider', 'aria-label': t('timeline'), 'aria-valuemin': 0 });
  const wrap = h('div', { class: 'strip-wrap' }, canvas);
  const element = h('section', { class: 'timeline', 'aria-label': t('timeline') }, h('div', { class: 'timeline-head' }, transport, takes), wrap);

  // the strip is one of time, s: steps of other takes may be longer or shorter
  const seconds = () => Math.max(store.scene?.duration ?? 10, ...store.takes.map((x) => store.endOf(x, true)), 1e-3);
  let width = 0; // asking the page for it thousands of times would cost
  const at = (time: number) => 12 + (time / seconds()) * ((width ||= wrap.clientWidth) - 24);
  const timeAt = (px: number) => Math.max(0, ((px - 12) / ((width ||= wrap.clientWidth) - 24)) * seconds());
  const x = (step: number) => at(store.timeOf(step));
  const stepAt = (px: number) => store.stepOf(timeAt(px));

  function colors() {
    const css = getComputedStyle(document.documentElement);
    const get = (name: string) => css.getPropertyValue(name).trim();
    return { text: get('--dim'), line: get('--line'), accent: get('--accent'), fill: get('--raised'), warm: get('--warm'), red: get('--red'), strong: get('--text') };
  }
  const draw = oncePerPicture(paint);
  function paint() {
    const s = store.state;
    const height = lanesTop() + kLane * lanesOf().length + 6;
    const w = wrap.clientWidth;
    const ratio = devicePixelRatio;
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(w * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.height = `${height}px`;
    }
    const g = canvas.getContext('2d')!;
    const c = colors();
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, w, height);
    if (!s) return;
    ruler(g, c, w);
    events(g, c);
    lanes(g, c);
    blocks(g, c);
    syncs(g, c);
    playhead(g, c, height);
  }
  // --- blocks: forces, and shots of the film
  interface Block {
    kind: 'force' | 'shot';
    name: string;
    index: number;
    from: number; // s
    to: number;
  }
  const lanesTop = () => 44 + kRow * Math.max(2, Math.min(kLanes, visibleTakes().length));
  function lanesOf(): Block[][] {
    const scene = store.scene;
    if (!scene) return [];
    // forces that overlap stand below each other
    const rows: Block[][] = [];
    scene.forces.forEach((f, index) => {
      const block: Block = { kind: 'force', name: f.name, index, from: f.from, to: Math.min(f.until ?? Infinity, seconds()) };
      if (block.to <= block.from) block.to = block.from + 1e-3;
      const row = rows.find((r) => r.every((b) => b.to <= block.from || b.from >= block.to));
      if (row) row.push(block);
      else if (rows.length < 4) rows.push([block]);
    });
    if (scene.shots.length) rows.push(scene.shots.map((s, index): Block => ({ kind: 'shot', name: s.camera, index, from: s.t, to: scene.shots[index + 1]?.t ?? seconds() })));
    return rows;
  }
  let held: { block: Block; edge: 'from' | 'to' | 'both'; grip: number } | null = null;
  function blocks(g: CanvasRenderingContext2D, c: ReturnType<typeof colors>) {
    g.font = '11px system-ui, sans-serif';
    lanesOf().forEach((row, i) => {
      const top = lanesTop() + i * kLane;
      for (const block of row) {
        const moving = held && held.block.kind === block.kind && held.block.index === block.index ? held.block : block;
        const [left, right] = [at(moving.from), Math.max(at(moving.from) + 4, at(moving.to))];
        const picked = store.selectionKind === (block.kind === 'force' ? 'force' : 'camera') && store.selection.includes(block.name);
        g.fillStyle = block.kind === 'force' ? '#f97316' : '#3b82f6';
        g.globalAlpha = picked ? 1 : 0.55;
        round(g, left, top, right - left - 1, kLane - 3, 4);
        g.globalAlpha = 1;
        g.save();
        g.beginPath();
        g.rect(left, top, right - left - 2, kLane);
        g.clip();
        g.fillStyle = c.strong;
        g.fillText(block.name.slice(block.name.lastIndexOf('/') + 1), left + 5, top + 11);
        g.restore();
      }
    });
  }
  function blockAt(px: number, py: number): { block: Block; edge: 'from' | 'to' | 'both' } | null {
    const row = lanesOf()[Math.floor((py - lanesTop()) / kLane)];
    if (py < lanesTop() || !row) return null;
    const block = row.find((b) => px >= at(b.from) - 4 && px <= Math.max(at(b.to), at(b.from) + 4) + 4);
    if (!block) return null;
    const edge = Math.abs(px - at(block.from)) < 5 ? 'from' : Math.abs(px - at(block.to)) < 5 && block.kind === 'force' ? 'to' : 'both';
    return { block, edge: block.kind === 'shot' && edge === 'both' ? 'from' : edge };
  }
  // Of a step: forces and shots begin with one.
  const instantAt = (px: number) => store.timeOf(stepAt(px));
  function dragBlock(px: number) {
    if (!held) return;
    const moved = instantAt(px) - held.grip;
    const scene = store.scene!;
    const original = held.block.kind === 'force' ? scene.forces[held.block.index] : null;
    const from = original?.from ?? scene.shots[held.block.index].t;
    const to = Math.min(original?.until ?? Infinity, seconds());
    if (held.edge !== 'to') held.block.from = Math.max(0, from + moved);
    if (held.edge !== 'from') held.block.to = Math.max(held.block.from + 1e-3, to + moved);
    draw();
  }
  function dropBlock() {
    const { block, edge } = held!;
    held = null;
    const tidy = (v: number) => Number(v.toFixed(4));
    if (block.kind === 'shot') {
      const shots = store.scene!.shots.map((s, i) => ({ ...s, t: i === block.index ? tidy(block.from) : s.t }));
      return void editor.setShots(shots, t('add_shot'));
    }
    const set = (key: string, value: number) => ({ op: 'set', path: ['forces', block.name, key], value: tidy(value) });
    const endless = store.scene!.forces[block.index].until === undefined;
    void editor.edit([...(edge !== 'to' ? [set('from', block.from)] : []), ...(edge === 'to' || (edge === 'both' && !endless) ? [set('until', block.to)] : [])], t('force')).catch(() => draw());
  }
  function ruler(g: CanvasRenderingContext2D, c: ReturnType<typeof colors>, w: number) {
    const all = seconds();
    const raw = all / Math.max(2, w / 90);
    const base = 10 ** Math.floor(Math.log10(raw));
    const step = base * (raw / base < 1.5 ? 1 : raw / base < 3.5 ? 2 : raw / base < 7.5 ? 5 : 10);
    g.font = '11px system-ui, sans-serif';
    g.fillStyle = c.text;
    g.strokeStyle = c.line;
    g.beginPath();
    let free = -Infinity; // where the last label ends
    for (let time = 0; time <= all + 1e-9; time += step) {
      const px = Math.round(at(time)) + 0.5;
      g.moveTo(px, 14);
      g.lineTo(px, 20);
      const text = `${Number(time.toFixed(3))} s`;
      const wide = g.measureText(text).width;
      const left = Math.min(px + 3, w - wide - 2);
      if (left < free + 4) continue; // not into each other
      g.fillText(text, left, 12);
      free = left + wide;
    }
    g.stroke();
  }
  function events(g: CanvasRenderingContext2D, c: ReturnType<typeof colors>) {
    const { contacts, health, largest } = ticksOf();
    const ticks = (color: string, list: Map<number, number>, tall: (impulse: number) => number) => {
      g.fillStyle = color;
      g.beginPath();
      for (const [column, impulse] of list) g.rect(column / 2 - 0.75, 34 - tall(impulse), 1.5, tall(impulse));
      g.fill();
    };
    ticks(c.warm, contacts, (impulse) => 3 + 9 * Math.sqrt(impulse / largest));
    ticks(c.red, health, () => 12);
  }
  // A heap has thousands of contacts: the strongest of each half pixel, and only new ones are looked at.
  let ticked = { list: store.events, until: 0, span: 0, width: 0, contacts: new Map<number, number>(), health: new Map<number, number>(), largest: 1e-9 };
  function ticksOf() {
    const list = store.events;
    if (ticked.list !== list || ticked.until > list.length || ticked.span !== seconds() || ticked.width !== width) ticked = { list, until: 0, span: seconds(), width, contacts: new Map(), health: new Map(), largest: 1e-9 };
    for (; ticked.until < list.length; ++ticked.until) {
      const e = list[ticked.until];
      const into = e.kind === 'contact_begin' ? ticked.contacts : e.kind.startsWith('health') ? ticked.health : null;
      const column = Math.round(2 * at(e.time));
      into?.set(column, Math.max(into.get(column) ?? 0, e.impulse, 0));
      ticked.largest = Math.max(ticked.largest, e.impulse);
    }
    return ticked;
  }
  function visibleTakes() {
    const active = store.state?.take;
    const leaf = store.takes.find((x) => x.id === active);
    return [...(leaf ? [leaf] : []), ...store.takes.filter((x) => x.own && x.id !== active && !(x.chain && x.end <= x.at)).reverse()];
  }
  // On the strip there is room for the latest; the chips have all.
  const kLanes = 4;
  function lanes(g: CanvasRenderingContext2D, c: ReturnType<typeof colors>) {
    visibleTakes().slice(0, kLanes).forEach((take, row) => {
      const top = 40 + row * kRow;
      const active = row === 0;
      const left = at(active ? 0 : take.begins);
      g.fillStyle = c.fill;
      round(g, left, top, Math.max(3, at(store.endOf(take, true)) - left), 12, 4);
      g.fillStyle = active ? c.accent : c.text;
      g.globalAlpha = active ? 0.85 : 0.5;
      round(g, left, top, Math.max(3, at(store.endOf(take)) - left), 12, 4);
      g.globalAlpha = 1;
      if (!active) {
        g.strokeStyle = c.text;
        g.beginPath();
        g.moveTo(left, 46);
        g.lineTo(left, top + 6);
        g.stroke();
      }
    });
    // cuts of the take on the stage
    for (const take of store.takes) {
      if (!take.chain || take.at === 0) continue;
      g.fillStyle = c.strong;
      g.font = '13px system-ui';
      const going = carried?.kind === 'cut' && carried.id === take.id;
      const picked = store.selectionKind === 'cut' && store.selection.includes(String(take.id));
      if (picked) g.fillStyle = c.warm;
      g.fillText('✂', x(going ? carried!.step : take.at) - 6, 51);
    }
  }
  function round(g: CanvasRenderingContext2D, left: number, top: number, w: number, hgt: number, r: number) {
    g.beginPath();
    g.roundRect(left, top, w, hgt, r);
    g.fill();
  }
  function syncs(g: CanvasRenderingContext2D, c: ReturnType<typeof colors>) {
    for (const sync of store.syncs) {
      const px = carried?.kind === 'sync' && carried.id === sync.id ? x(carried.step) : at(sync.time);
      g.globalAlpha = sync.here ? 1 : 0.4;
      g.fillStyle = store.selectionKind === 'sync' && store.selection.includes(String(sync.id)) ? c.accent : c.warm;
      g.beginPath();
      g.moveTo(px, 18);
      g.lineTo(px + 5, 23);
      g.lineTo(px, 28);
      g.lineTo(px - 5, 23);
      g.fill();
      g.globalAlpha = 1;
    }
  }
  function playhead(g: CanvasRenderingContext2D, c: ReturnType<typeof colors>, height: number) {
    const px = x(store.frame?.step ?? 0);
    g.fillStyle = c.strong;
    g.fillRect(px - 0.75, 14, 1.5, height - 14);
    g.beginPath();
    g.moveTo(px - 6, 12);
    g.lineTo(px + 6, 12);
    g.lineTo(px, 20);
    g.fill();
  }

  // --- sync points and changes in mid-run: a click goes there, a drag takes them along
  interface Moment {
    kind: 'sync' | 'cut';
    id: number;
    step: number;
  }
  let carried: Moment | null = null;
  function momentAt(px: number, py: number): Moment | null {
    const sync = store.syncs.find((s) => s.here && Math.abs(x(s.step) - px) < 7 && py > 15 && py < 31);
    if (sync) return { kind: 'sync', id: sync.id, step: sync.step };
    const cut = py > 38 && py < 54 ? store.cuts.find((c) => Math.abs(x(c.at) - px) < 7) : undefined;
    return cut ? { kind: 'cut', id: cut.id, step: cut.at } : null;
  }
  function dropMoment() {
    const { kind, id, step } = carried!;
    carried = null;
    if (!moved) return void editor.seek(step);
    if (kind === 'sync') void editor.request('sync', { move: id, step });
    else void moveCut(editor, store, id, step);
  }

  // scrubbing
  let scrubbing = false;
  let pending: number | null = null;
  let busy = false;
  const scrub = async (step: number) => {
    pending = Math.min(store.state?.end ?? 0, Math.max(0, step));
    if (busy) return;
    busy = true;
    while (pending !== null) {
      const to: number = pending;
      pending = null;
      await editor.seek(to);
    }
    busy = false;
  };
  canvas.addEventListener('pointerdown', (e) => {
    canvas.setPointerCapture(e.pointerId);
    const box = canvas.getBoundingClientRect();
    const [px, py] = [e.clientX - box.left, e.clientY - box.top];
    const moment = momentAt(px, py);
    if (moment) {
      store.select([String(moment.id)], moment.kind);
      carried = moment;
      moved = false;
      return;
    }
    const hit = blockAt(px, py);
    if (hit) {
      store.select([hit.block.name], hit.block.kind === 'force' ? 'force' : 'camera');
      held = { block: { ...hit.block }, edge: hit.edge, grip: instantAt(px) };
      moved = false;
      return;
    }
    const row = Math.floor((py - 40) / kRow);
    const take = row < kLanes ? visibleTakes()[row] : undefined;
    if (row > 0 && take) return void editor.request('take', { take: take.id });
    scrubbing = true;
    void scrub(stepAt(px));
  });
  let moved = false;
  canvas.addEventListener('dblclick', (e) => {
    const box = canvas.getBoundingClientRect();
    const hit = blockAt(e.clientX - box.left, e.clientY - box.top);
    if (hit?.block.kind === 'shot') void editor.setShots(store.scene!.shots.filter((_, i) => i !== hit.block.index), t('delete'));
  });
  canvas.addEventListener('pointermove', (e) => {
    if (carried) {
      const step = Math.min(store.state?.end ?? 0, Math.max(0, stepAt(e.clientX - canvas.getBoundingClientRect().left)));
      if (!moved && Math.abs(x(step) - x(carried.step)) < 4) return;
      moved = true;
      carried.step = step;
      return draw();
    }
    if (held) {
      moved = true;
      return dragBlock(e.clientX - canvas.getBoundingClientRect().left);
    }
    if (scrubbing) void scrub(stepAt(e.clientX - canvas.getBoundingClientRect().left));
  });
  canvas.addEventListener('pointerup', () => {
    scrubbing = false;
    if (carried) dropMoment();
    if (held && moved) dropBlock();
    held = null;
  });

  const paintTakes = () => {
    const active = store.state?.take;
    const all = visibleTakes();
    takes.replaceChildren(
      ...(all.length < 2 ? [] : all).map((take) =>
        h(
          'span',
          { class: `chip ${take.id === active ? 'on' : ''}` },
          h('button', { type: 'button', 'aria-pressed': take.id === active, onclick: () => void editor.request('take', { take: take.id }) }, take.label || t('first_take')),
          take.id !== active && h('button', { type: 'button', class: 'x', 'aria-label': `${t('ghost')}: ${take.label || t('first_take')}`, title: t('ghost'), 'aria-pressed': store.split === null && store.ghost?.take === take.id, onclick: () => void showGhost(store.split === null && store.ghost?.take === take.id ? null : take.id) }, '◌'),
          take.id !== active && h('button', { type: 'button', class: 'x', 'data-do': 'compare', 'aria-label': `${t('compare')}: ${take.label || t('first_take')}`, title: t('compare'), 'aria-pressed': store.split === take.id, onclick: () => compare(store.split === take.id ? null : take.id) }, '◫'),
          take.id !== active && !take.chain && h('button', { type: 'button', class: 'x', 'aria-label': `${t('discard')} ${take.label}`, title: t('discard'), onclick: () => void editor.request('discard', { take: take.id }) }, '×'),
        ),
      ),
    );
  };
  let updated = 0;
  // With every picture of the views, so that clock and playhead are at the instant that is seen.
  const update = (now = false) => {
    const s = store.state;
    const f = store.frame;
    if (s) {
      const running = s.mode !== 'paused';
      const shows = running ? 'pause' : 'play';
      if (play.dataset.now !== shows) {
        play.dataset.now = shows;
        play.replaceChildren(icon(shows));
        play.setAttribute('aria-label', t(shows));
        play.title = `${t(shows)} (Space)`;
      }
    }
    // while pictures are late, a few times a second will do
    const time = performance.now();
    if (store.sparing && s?.mode === 'playing' && time - updated < 150) return;
    updated = time;
    if (f) {
      clock.textContent = `${f.time.toFixed(3)} s`;
      canvas.setAttribute('aria-valuemax', String(f.end));
      canvas.setAttribute('aria-valuenow', String(Math.floor(f.step)));
      canvas.setAttribute('aria-valuetext', `${f.time.toFixed(2)} s`);
    }
    if (!f) clock.textContent = '0.000 s';
    if (now) paint();
    else draw();
  };
  store.on(['scene', 'selection'], draw);
  store.on('picture', () => update(true));
  store.on(['state', 'events'], () => update());
  store.on('frame', () => !store.running && update());
  store.on(['takes', 'show'], () => (paintTakes(), draw()));
  store.on('state', paintTakes);
  new ResizeObserver(() => ((width = wrap.clientWidth), draw())).observe(wrap);
  return { element, draw, x, at, stepAt };
}
