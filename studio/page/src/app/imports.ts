// Files of other programs: dropped on the page or chosen, handed to the engine, made a scene by its
// importers, or a body where they are only triangles.
import * as THREE from 'three';
import type { Answer, EngineLink } from '../link/link';
import { Refusal, describe } from '../link/link';
import type { Editor } from '../model/editor';
import { poseOf } from '../model/prefabs';
import type { Store } from '../model/store';
import { dialog, openable } from '../panels/dialogs';
import { type Toasts, h } from '../ui/dom';
import { t } from '../ui/texts';
import type { Stage } from '../viewport/stage';
import { forgetFile, keepFile, keptFile, keptNames } from './kept_files';
import { hasWork, keepWork, workTexts } from './recent';
import { slotTexts } from './slots';

export interface Given {
  name: string; // with the folders it was dropped in
  bytes(): Promise<ArrayBuffer>;
}
const ending = (name: string) => /\.[^./]+$/.exec(name.toLowerCase())?.[0] ?? '';
const meshes = ['.obj', '.stl', '.ply', '.glb', '.gltf'];
const models = ['.urdf', '.mjcf', '.bvh', '.glb', '.gltf', '.xml'];
export const importEndings = [...new Set(['.json', '.world', ...models, ...meshes])];
const kPart = 6 << 20; // bytes of a message; a multiple of three, so that parts of base64 fit together

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

export function makeImports(store: Store, editor: Editor, link: () => EngineLink, stage: Stage, toasts: Toasts, opened: () => void) {
  let report: () => void = () => toasts.show(t('no_import'));
  async function upload(name: string, bytes: ArrayBuffer) {
    for (let at = 0; at === 0 || at < bytes.byteLength; at += kPart) await link().request('upload', { name, data: base64(new Uint8Array(bytes.slice(at, at + kPart))), more: at > 0 });
  }
  async function hand(given: Given) {
    const bytes = await given.bytes();
    await upload(given.name, bytes);
    if (!(await keepFile(given.name, bytes))) toasts.show(t('storage_full'), 'error');
  }
  const names = (work: string, file: string) => work.includes(JSON.stringify(file).slice(1, -1).replace(/.*\//, ''));
  // Files that no work names any more: neither what is here nor what can be opened again.
  async function forgetUnused() {
    const here = (await link().request('project').catch(() => null))?.project;
    if (!here) return;
    const works = [JSON.stringify(here), ...slotTexts(), ...(await workTexts())];
    for (const file of await keptNames()) if (!works.some((work) => names(work, file))) await forgetFile(file);
  }
  // After a reload: what the kept work names.
  async function sendKept(work: string) {
    for (const name of await keptNames()) {
      if (!names(work, name)) continue;
      const bytes = await keptFile(name);
      if (bytes) await upload(name, bytes).catch(() => {});
    }
  }
  const complain = (error: unknown) => toasts.show(error instanceof Refusal ? describe(error.error) : String(error), 'error');

  // The one that says what the others are for.
  function mainOf(files: Given[]): Given | undefined {
    for (const wanted of [['.urdf'], ['.mjcf'], ['.xml'], ['.bvh'], ['.json', '.world'], ['.gltf', '.glb']]) {
      const found = files.filter((f) => wanted.includes(ending(f.name)));
      // of several the one that lies highest
      if (found.length) return found.sort((a, b) => a.name.split('/').length - b.name.split('/').length || a.name.length - b.name.length)[0];
    }
    return undefined;
  }
  async function take(files: Given[], at?: THREE.Vector3) {
    const main = mainOf(files);
    const useful = files.filter((f) => f === main || meshes.includes(ending(f.name)) || ['.bin', '.xml', '.mtl', '.xacro'].includes(ending(f.name)));
    if (!useful.length) return toasts.show(t('import_unknown', { name: files[0]?.name ?? '', known: importEndings.join(' ') }), 'error');
    try {
      if (!main) return await addMeshes(useful, at);
      if (['.json', '.world'].includes(ending(main.name))) return await openScene(main, useful);
      await importModel(main, useful, at);
    } catch (error) {
      complain(error);
    }
  }
  async function openScene(main: Given, files: Given[]) {
    const text = new TextDecoder().decode(await main.bytes());
    for (const file of files) if (file !== main) await hand(file);
    if (!(await editor.load(openable(text, main.name.replace(/.*\//, ''))))) return;
    opened();
    await forgetUnused();
  }
  async function importModel(main: Given, files: Given[], at?: THREE.Vector3) {
    const kind = ending(main.name);
    const able: string[] = store.hello.imports ?? [];
    const shape = meshes.includes(kind);
    if (!able.includes(kind)) {
      if (shape) return addMeshes(files, at);
      return void dialog(t('import'), h('p', {}, t('import_native', { kind })), h('pre', {}, `tenon import ${main.name} -o ${main.name.replace(/.*\//, '').replace(/\.\w+$/, '')}.json`));
    }
    const before = (await link().request('project')).project;
    for (const file of files) await hand(file);
    let answer: Answer;
    try {
      answer = await link().request('import', { name: main.name });
    } catch (error) {
      // a glTF file without rigid bodies is only a shape
      if (shape) return addMeshes(files.filter((f) => f === main), at);
      throw error;
    }
    if (hasWork(before)) await keepWork(before);
    opened();
    await forgetUnused();
    const back = () => void editor.load({ project: before });
    report = () => void dialog(t('import_report'), h('pre', { class: 'report', tabindex: 0 }, answer.report || '–'));
    toasts.show(t('imported', { name: main.name }), 'note', [{ label: t('import_report'), perform: report }, { label: t('go_back'), perform: back }]);
  }
  // Triangles: a body of each file, on the ground, fixed where its surface is not closed.
  async function addMeshes(files: Given[], at = new THREE.Vector3()) {
    let x = at.x;
    for (const file of files.filter((f) => meshes.includes(ending(f.name)))) {
      await hand(file);
      const name = store.freeName(file.name.replace(/.*\//, '').replace(/\.\w+$/, ''));
      const value: Answer = { name, shape: { type: 'mesh', file: file.name }, position: [x, Math.max(0, at.y), at.z].map((v) => Number(v.toFixed(4))) };
      const merge = `mesh ${name}`;
      const add = (more: Answer) => link().request('edit', { ops: [{ op: 'add', path: ['bodies'], value: { ...value, ...more } }], label: `+ ${name}`, merge });
      const open = await add({}).then(() => false, async (error) => {
        if (!(error instanceof Refusal)) throw error;
        await add({ motion: 'static' }).catch(() => {
          throw error;
        });
        return true;
      });
      const box = await shown(name);
      const size = box.getSize(new THREE.Vector3());
      const { p, q } = poseOf(store.pose(name));
      const ground = Math.max(0, at.y);
      const below = box.min.y - p.y; // of its origin
      if (!box.isEmpty()) await editor.place(new Map([[name, { p: p.clone().setY(ground - below), q }]]), `+ ${name}`, merge);
      store.select([name]);
      x += 1.2 * size.x;
      const large = Math.max(size.x, size.y, size.z);
      const position = [p.x, ground - below / 1000, p.z].map((v) => Number(v.toFixed(6)));
      const scale = () => void editor.edit([{ op: 'set', path: ['bodies', name, 'shape', 'units'], value: 'mm' }, { op: 'set', path: ['bodies', name, 'position'], value: position }], t('units')).catch(() => {});
      if (large > 30) toasts.show(t('mesh_large', { name, size: large.toPrecision(3) }), 'note', [{ label: t('in_mm'), perform: scale }]);
      if (open) toasts.show(t('mesh_open', { name }));
    }
  }
  // Its box, once the scene that has it has come.
  function shown(name: string): Promise<THREE.Box3> {
    return new Promise((resolve) => {
      const look = (tries: number) => {
        const object = store.body(name) && stage.object(name);
        if (object || tries > 200) resolve(object ? object.box() : new THREE.Box3());
        else setTimeout(() => look(tries + 1), 20);
      };
      look(0);
    });
  }
  function choose() {
    const pick = (folder: boolean) => {
      const chooser = h('input', { type: 'file', multiple: true, hidden: true, 'data-chooser': folder ? 'folder' : 'files' });
      if (folder) chooser.setAttribute('webkitdirectory', '');
      chooser.onchange = () => {
        close();
        void take([...(chooser.files ?? [])].map((file) => ({ name: file.webkitRelativePath || file.name, bytes: () => file.arrayBuffer() })));
      };
      return chooser;
    };
    const [files, folder] = [pick(false), pick(true)];
    const button = (label: string, chooser: HTMLInputElement) => h('button', { type: 'button', class: 'wide', onclick: () => chooser.click() }, label);
    const close = dialog(t('import'), h('p', { class: 'hint' }, t('import_hint')), h('div', { class: 'field stack' }, button(t('import_files'), files), button(t('import_folder'), folder)), files, folder);
  }
  return { take, choose, sendKept, report: () => report() };
}

// Everything in what is dropped, folders too.
export async function filesOf(data: DataTransfer): Promise<Given[]> {
  const out: Given[] = [];
  const walk = async (entry: FileSystemEntry, path: string): Promise<void> => {
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
      out.push({ name: path + file.name, bytes: () => file.arrayBuffer() });
      return;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (!some.length || out.length > 2000) return;
      for (const one of some) await walk(one, `${path}${entry.name}/`);
    }
  };
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.()).filter((e): e is FileSystemEntry => !!e);
  if (!entries.length) return [...data.files].map((file) => ({ name: file.name, bytes: () => file.arrayBuffer() }));
  for (const entry of entries) await walk(entry, '');
  return out;
}
