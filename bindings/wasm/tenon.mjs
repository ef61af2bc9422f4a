// Loads a Tenon WebAssembly module, in node and in browsers alike. The module imports a few WASI
// calls of its C library; of these only messages (fd_write) mean something here.

const kNotSupported = 52; // WASI errno ENOSYS

function makeImports(memory, onMessage, more) {
  const given = {
    fd_write(fd, vectors, count, written) {
      const view = new DataView(memory().buffer);
      let total = 0;
      let text = '';
      for (let i = 0; i < count; ++i) {
        const at = view.getUint32(vectors + 8 * i, true);
        const size = view.getUint32(vectors + 8 * i + 4, true);
        text += new TextDecoder().decode(new Uint8Array(memory().buffer, at, size));
        total += size;
      }
      view.setUint32(written, total, true);
      onMessage(text);
      return 0;
    },
    proc_exit(code) {
      throw new Error(`the module ended itself with code ${code}`);
    },
    ...more,
  };
  return new Proxy({}, { get: (_, name) => given[name] ?? (() => kNotSupported) });
}

// bytes: the module (BufferSource). Returns its exports, initialised. more: other functions that it
// imports, by name.
export async function loadModule(bytes, onMessage = (text) => console.error(text), more = {}) {
  let instance = null;
  const imports = makeImports(() => instance.exports.memory, onMessage, more);
  const module = await WebAssembly.compile(bytes);
  const wanted = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (wanted[from] ??= {})[name] = imports[name];
  }
  instance = await WebAssembly.instantiate(module, wanted);
  instance.exports._initialize?.();
  return instance.exports;
}

// One simulated world. Calls after dispose() are errors.
export class TenonWorld {
  #tenon;
  #handle;

  constructor(tenon, handle) {
    this.#tenon = tenon;
    this.#handle = handle;
  }

  step(count = 1) {
    this.#tenon.tenon_step(this.#handle, count);
  }
  get time() {
    return this.#tenon.tenon_time(this.#handle);
  }
  get stepCount() {
    return this.#tenon.tenon_step_count(this.#handle);
  }
  // 64 bits as a BigInt; equal hashes mean equal futures.
  get stateHash() {
    return BigInt.asUintN(64, this.#tenon.tenon_state_hash(this.#handle));
  }
  get bodyCount() {
    return this.#tenon.tenon_body_count(this.#handle);
  }
  get bodyNames() {
    const names = [];
    for (let i = 0; i < this.bodyCount; ++i) {
      const size = this.#tenon.tenon_body_name(this.#handle, i);
      names.push(readText(this.#tenon, size));
    }
    return names;
  }
  // Seven numbers per body in the order of the scene: x y z of the frame, then w x y z of its
  // quaternion. A copy: the module's memory moves when it grows.
  get poses() {
    const at = this.#tenon.tenon_poses(this.#handle);
    return new Float64Array(this.#tenon.memory.buffer, at, 7 * this.bodyCount).slice();
  }
  dispose() {
    this.#tenon.tenon_destroy(this.#handle);
    this.#handle = 0;
  }
}

function readText(tenon, size) {
  return new TextDecoder().decode(new Uint8Array(tenon.memory.buffer, tenon.tenon_text(), size));
}

// The world of a scene (JSON text). Throws an Error with the engine's own message, which names line,
// column and what would be accepted.
export function createWorld(tenon, sceneText, name = 'scene.json') {
  const encode = (text) => {
    const bytes = new TextEncoder().encode(text);
    const at = tenon.tenon_allocate(bytes.length);
    new Uint8Array(tenon.memory.buffer, at, bytes.length).set(bytes);
    return [at, bytes.length];
  };
  const [scene, sceneSize] = encode(sceneText);
  const [label, labelSize] = encode(name);
  const handle = tenon.tenon_create(scene, sceneSize, label, labelSize);
  tenon.tenon_free(scene);
  tenon.tenon_free(label);
  if (handle === 0) throw new Error(readText(tenon, tenon.tenon_text_size()));
  return new TenonWorld(tenon, handle);
}
