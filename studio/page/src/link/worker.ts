// The engine in WebAssembly: messages of the page in, messages and frames out, a clock in between.
import { loadModule } from '../../../../bindings/wasm/tenon.mjs';

const scope = self as unknown as DedicatedWorkerGlobalScope;
let engine: any = null;
let last = 0;
let timer: ReturnType<typeof setTimeout> | 0 = 0;

function withBytes(texts: string[], call: (...args: number[]) => void) {
  const args: number[] = [];
  for (const text of texts) {
    const bytes = new TextEncoder().encode(text);
    const at = engine.studio_allocate(bytes.length);
    new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
    args.push(at, bytes.length);
  }
  call(...args);
  for (let i = 0; i < args.length; i += 2) engine.studio_free(args[i]);
}

function collect() {
  const count = engine.studio_collect();
  for (let i = 0; i < count; ++i) {
    const at = engine.studio_message(i);
    const bytes = new Uint8Array(engine.memory.buffer, at, engine.studio_message_size(i)).slice();
    if (engine.studio_message_binary(i)) scope.postMessage(bytes.buffer, [bytes.buffer]);
    else scope.postMessage(new TextDecoder().decode(bytes));
  }
}

function tick() {
  timer = 0;
  guard(() => {
    const now = performance.now() / 1000;
    engine.studio_advance(now - last);
    last = now;
    collect();
    schedule();
  });
}

function schedule() {
  if (timer || !engine.studio_busy()) return;
  if (performance.now() / 1000 - last > 0.1) last = performance.now() / 1000;
  timer = setTimeout(tick, Math.max(0, 16 - (performance.now() - 1000 * last)));
}

// A trap leaves the module in no state to go on: the page starts another one with its own copy.
function guard(work: () => void) {
  try {
    work();
  } catch (error) {
    console.warn('the engine stopped:', error);
    scope.postMessage('crashed');
    scope.close();
  }
}

async function start(base: string, scene: string) {
  const [module, gallery] = await Promise.all([
    fetch(new URL('tenon-studio.wasm', base)).then((r) => r.arrayBuffer()),
    (fetch(new URL('gallery.json', base)).then((r) => r.json()) as Promise<{ name: string; text: string }[]>),
  ]);
  const messages = (text: string) => console.warn(text);
  engine = await loadModule(module, messages, { now: () => performance.now() / 1000 });
  for (const offer of gallery) withBytes([offer.name, offer.text], engine.studio_offer);
  withBytes([scene], (at, size) => engine.studio_begin(at, size, 512));
  const offered = gallery.find((offer) => `gallery:${offer.name}` === scene);
  const text: string = offered?.text ?? (await fetch(new URL(scene, base)).then((r) => r.text()));
  withBytes([text, offered ? `${offered.name}.json` : scene], engine.studio_open);
  scope.postMessage('ready');
}

scope.onmessage = (event) => {
  if (typeof event.data === 'string') {
    guard(() => {
      withBytes([event.data], engine.studio_receive);
      collect();
      schedule();
    });
  } else {
    start(event.data.base, event.data.scene).catch((error) => {
      console.warn(error);
      scope.postMessage('crashed');
    });
  }
};
