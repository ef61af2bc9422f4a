// Elements in one call, toasts, icons, drawing once per picture.
type Child = Node | string | null | undefined | false;
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, unknown> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('aria-') && value !== undefined) {
      element.setAttribute(key, String(value)); // "false" says something there
      continue;
    }
    if (value === undefined || value === false || value === null) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value as EventListener);
    else if (key === 'html') element.innerHTML = value as string;
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

const paths: Record<string, string> = {
  select: 'M5 3l14 8-6 1.5L10 19z',
  move: 'M12 3v18M3 12h18M12 3l-3 3m3-3l3 3M12 21l-3-3m3 3l3-3M3 12l3-3m-3 3l3 3M21 12l-3-3m3 3l-3 3',
  turn: 'M20 12a8 8 0 1 1-2.6-5.9M20 3v4h-4',
  size: 'M4 14v6h6M20 10V4h-6M4 20L20 4',
  box: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5',
  sphere: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3.5 14c5 3 12 3 17 0',
  cylinder: 'M5 6c0-4 14-4 14 0v12c0 4-14 4-14 0zM5 6c0 4 14 4 14 0',
  capsule: 'M8 8a4 4 0 0 1 8 0v8a4 4 0 0 1-8 0z',
  plane: 'M3 17l6-8h12l-6 8z',
  point: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v4M12 18v4M2 12h4M18 12h4',
  connect: 'M4 12c2-6 3 6 5 0s3 6 5 0 3 6 6 0',
  hand: 'M8 12V6a1.5 1.5 0 0 1 3 0V4.500a1.500 1.500 0 0 1 3 0V6a1.500 1.500 0 0 1 3 0v8c0 4-2 7-6 7-3 0-5-1-7-5l-1-2c1-1.500 2.500-1 3 0z',
  force: 'M4 20L18 6M18 6h-7M18 6v7',
  measure: 'M3 17L17 3l4 4L7 21zM7 13l2 2M10 10l2 2M13 7l2 2',
  camera: 'M3 8h12v9H3zM15 11l6-3v9l-6-3M6 8V5h5v3',
  light: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-3.500 11c.5.5.5 2 .5 2h6s0-1.500.5-2A6 6 0 0 0 12 3z',
  film: 'M4 5h16v14H4zM8 5v14M16 5v14M4 9h4M4 14h4M16 9h4M16 14h4',
  drop: 'M12 3v12M12 15l-4-4M12 15l4-4M4 20h16',
  stereo: 'M3 9h18v6h-6l-3-3-3 3H3z',
  share: 'M7 12a2.500 2.500 0 1 0 0 .1M17 6a2.500 2.500 0 1 0 0 .1M17 18a2.500 2.500 0 1 0 0 .1M9 11l6-4M9 13l6 4',
  palette: 'M4 6h16M4 12h10M4 18h7',
  undo: 'M9 7L4 12l5 5M4 12h10a6 6 0 0 1 0 12',
  redo: 'M15 7l5 5-5 5M20 12H10a6 6 0 0 0 0 12',
  play: 'M7 4l13 8-13 8z',
  pause: 'M7 4h4v16H7zM14 4h4v16h-4z',
  back: 'M17 4L4 12l13 8z',
  stepf: 'M6 5l9 7-9 7zM17 5h2v14h-2z',
  stepb: 'M18 5l-9 7 9 7zM5 5h2v14H5z',
  start: 'M19 5l-8 7 8 7zM11 5l-8 7 8 7z',
  end: 'M5 5l8 7-8 7zM13 5l8 7-8 7z',
  event: 'M13 2L5 14h6l-1 8 9-13h-6z',
  sync: 'M12 3l8 9-8 9-8-9z',
  open: 'M3 6h6l2 3h10v10H3z',
  save: 'M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6',
  gallery: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  theme: 'M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18',
  help: 'M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2M12 18v.5',
  quad: 'M4 4h16v16H4zM12 4v16M4 12h16',
  eye: 'M2 12c4-7 16-7 20 0-4 7-16 7-20 0zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  hidden: 'M3 3l18 18M2 12c2-3 5-5 8-5M22 12c-2 3-5 5-8 5M6 16c-2-1-3-2-4-4M18 8c2 1 3 2 4 4',
  lock: 'M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3',
  unlock: 'M6 11h12v9H6zM8 11V8a4 4 0 0 1 7-2.6',
  trash: 'M5 7h14M10 4h4M7 7l1 13h8l1-13',
  copy: 'M8 8h12v12H8zM4 16V4h12',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  import: 'M12 3v11M12 14l-4-4M12 14l4-4M4 15v5h16v-5',
  cut: 'M6 5a2.500 2.500 0 1 0 0 .1M6 19a2.500 2.500 0 1 0 0 .1M8 7l12 10M8 17L20 7',
  prefab: 'M4 4h9v9H4zM11 11h9v9h-9z',
  world: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c4 5 4 13 0 18M12 3c-4 5-4 13 0 18',
};
const filled = new Set(['play', 'pause', 'back', 'stepf', 'stepb', 'start', 'end', 'sync', 'select']);
export function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', paths[name] ?? '');
  svg.classList.add(filled.has(name) ? 'filled' : 'lines');
  svg.append(path);
  return svg;
}

// Whether keys are letters for it: sliders, choices and boxes to tick leave most to the studio.
export function isTyping(element: HTMLElement): boolean {
  if (element.isContentEditable || element.closest('textarea')) return true;
  const input = element.closest('input');
  return !!input && !['range', 'checkbox', 'radio', 'color', 'button', 'file'].includes(input.type);
}
// Keys that what has the focus needs itself, besides letters.
export function isItsKey(element: HTMLElement, e: KeyboardEvent): boolean {
  if (e.ctrlKey || e.metaKey) return false;
  const moves = e.key.startsWith('Arrow') || ['Home', 'End', 'PageUp', 'PageDown'].includes(e.key);
  const input = element.closest('input');
  if (element.closest('select')) return moves || e.key.length === 1 || e.key === 'Enter';
  if (input?.type === 'range' || input?.type === 'radio') return moves;
  return !!input && (e.key === ' ' || e.key === 'Enter');
}

// Fingers are wider than a pointer.
export const isCoarse = matchMedia('(pointer: coarse)').matches;

export interface ToastAction {
  label: string;
  perform(): void;
}
export class Toasts {
  readonly element = h('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });
  private home: Element | null = null;
  // What is said while a dialog is open is said in it: all else is behind its veil.
  private comeForward() {
    this.home ??= this.element.parentElement;
    const front = [...document.querySelectorAll('dialog[open]')].at(-1);
    if (!front || front.contains(this.element)) return;
    front.append(this.element);
    front.addEventListener('close', () => this.home?.append(this.element), { once: true });
  }
  show(text: string, kind: 'note' | 'error' = 'note', actions: ToastAction[] = []): HTMLElement {
    this.comeForward();
    const box = h('div', { class: `toast ${kind}` }, h('span', {}, text));
    for (const action of actions)
      box.append(
        h('button', { type: 'button', onclick: () => (action.perform(), box.remove()) }, action.label),
      );
    for (const old of [...this.element.children]) if (old.firstChild?.textContent === text) old.remove(); // said again
    this.element.append(box);
    while (this.element.children.length > 3) this.element.firstChild!.remove();
    const long = kind === 'error' || actions.length ? 10000 : 6000;
    let timer = 0;
    const wait = () => (timer = window.setTimeout(() => box.remove(), long));
    requestAnimationFrame(() => requestAnimationFrame(wait));
    for (const at of ['pointerenter', 'focusin']) box.addEventListener(at, () => clearTimeout(timer));
    for (const off of ['pointerleave', 'focusout']) box.addEventListener(off, wait);
    return box;
  }
}

// Asked for any number of times, done once before the next picture; `queued`: asked and not yet done.
export function oncePerPicture(paint: () => void) {
  const draw = Object.assign(
    () => {
      if (draw.queued) return;
      draw.queued = true;
      requestAnimationFrame(() => {
        draw.queued = false;
        paint();
      });
    },
    { queued: false },
  );
  return draw;
}
