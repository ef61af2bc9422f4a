// The one door to the engine: requests with answers, messages, frames. Two transports carry them, a
// WebSocket to the local server and a Web Worker with the engine in WebAssembly.
import { t } from '../ui/texts';
import { decodeFrame, type Frame } from './frame';

export interface EngineError {
  message: string;
  place?: string;
  line?: number;
  column?: number;
  value?: string;
  accepted?: string;
}
export class Refusal extends Error {
  constructor(
    readonly error: EngineError,
    readonly errors: EngineError[],
  ) {
    super(describe(error));
  }
}
export function describe(error: EngineError): string {
  const hints = [];
  if (error.value) hints.push(`${error.value}`);
  if (error.accepted) hints.push(`${t('accepted')}: ${error.accepted}`);
  const line = error.line ? `${error.place ?? ''}:${error.line}:${error.column ?? 1}: ` : ''; // of a file
  return line + error.message + (hints.length ? ` (${hints.join('; ')})` : '');
}

export type Answer = Record<string, any>;
export interface LinkEvents {
  message(message: Answer): void;
  frame(frame: Frame): void;
  open(): void; // also after a loss
  lost(why: 'closed' | 'crashed' | 'taken_over' | 'full' | 'gone'): void;
}

interface Carrier {
  send(text: string): void;
  close(): void;
}

export class EngineLink {
  private carrier: Carrier | null = null;
  private nextId = 1;
  private waiting = new Map<number, { resolve(a: Answer): void; reject(e: Error): void }>();
  private delay = 250;
  private stopped = false;
  private failures = 0;

  constructor(
    readonly transport: 'server' | 'worker',
    private events: LinkEvents,
    private site: Answer,
    private name = 'tenon.session', // where the name of the session is kept, so that a reload comes back to it
  ) {}

  start() {
    this.stopped = false;
    if (this.transport === 'server') this.connect();
    else this.startWorker();
  }

  // For good: nothing is told any more, and nothing comes back by itself.
  stop() {
    this.stopped = true;
    this.carrier?.close();
    this.carrier = null;
    for (const { reject } of this.waiting.values()) reject(new Error('stopped'));
    this.waiting.clear();
  }
  request(what: string, values: Answer = {}): Promise<Answer> {
    if (!this.carrier) return Promise.reject(new Error('not connected'));
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.carrier!.send(JSON.stringify({ id, do: what, ...values }));
    });
  }

  private receive(data: string | ArrayBuffer) {
    if (typeof data !== 'string') return this.events.frame(decodeFrame(data));
    const message: Answer = JSON.parse(data);
    // neither gets better by trying again
    if (message.event === 'taken_over' || message.event === 'full') {
      this.stopped = true;
      return this.events.lost(message.event);
    }
    if (message.event) return this.events.message(message);
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.ok) waiting?.resolve(message);
    else waiting?.reject(new Refusal(message.error, message.errors ?? [message.error]));
  }

  private drop(why: 'closed' | 'crashed') {
    this.carrier = null;
    for (const { reject } of this.waiting.values()) reject(new Error('the connection was lost'));
    this.waiting.clear();
    if (this.stopped) return;
    if (why === 'crashed') this.deaths.push(Date.now());
    // a server that does not answer for a while has another address when it is there again
    this.events.lost(why === 'closed' && ++this.failures > 4 ? 'gone' : why);
    setTimeout(() => this.start(), this.delay);
    this.delay = Math.min(4000, this.delay * 1.6);
  }

  // The other side has answered: what goes wrong later is another matter.
  greeted() {
    this.delay = 250;
    this.failures = 0;
  }
  // The engine has died twice within a minute: of what it was given, most likely.
  get diesOften(): boolean {
    return this.deaths.filter((when) => Date.now() - when < 60_000).length >= 2;
  }
  private deaths: number[] = [];

  private connect() {
    let name = sessionStorage.getItem(this.name);
    if (!name) {
      name = Array.from(crypto.getRandomValues(new Uint8Array(9)), (b) => b.toString(36)).join('');
      sessionStorage.setItem(this.name, name);
    }
    const url = new URL('ws', location.href);
    url.protocol = 'ws:';
    url.search = `?session=${name}`;
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      if (this.stopped) return socket.close();
      this.carrier = { send: (text) => socket.send(text), close: () => socket.close() };
      this.events.open();
    };
    socket.onmessage = (event) => !this.stopped && this.receive(event.data);
    socket.onclose = () => this.drop('closed');
  }

  private startWorker() {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    let dead = false; // it may say so twice
    const fail = () => {
      if (dead) return;
      dead = true;
      worker.terminate();
      this.drop('crashed');
    };
    worker.onerror = fail;
    worker.onmessage = (event) => {
      if (this.stopped) return worker.terminate();
      if (event.data === 'ready') {
        this.carrier = { send: (text) => worker.postMessage(text), close: () => worker.terminate() };
        this.events.open();
      } else if (event.data === 'crashed') {
        fail();
      } else {
        this.receive(event.data);
      }
    };
    worker.postMessage({ base: new URL('.', location.href).href, scene: this.site.scene });
  }
}
