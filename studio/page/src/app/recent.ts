// Work that something else was opened over: the last few projects, kept in the browser.
const kBase = 'tenon-recent';
const kTable = 'projects';
const kMost = 8;

export interface Work {
  key: number;
  name: string;
  when: number;
  takes: number;
}
function table<T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(kBase, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(kTable);
    asked.onerror = () => reject(asked.error);
    asked.onsuccess = () => {
      const work = asked.result.transaction(kTable, mode);
      const request = use(work.objectStore(kTable));
      work.oncomplete = () => (asked.result.close(), resolve(request.result));
      work.onerror = work.onabort = () => (asked.result.close(), reject(work.error));
    };
  });
}
// Whether somebody has done anything in it.
export const hasWork = (project: Record<string, any>): boolean => project.takes.length > 1 || project.step > 0 || (project.takes[0]?.end ?? 0) > 0;
// Where the browser keeps nothing, nothing is kept.
export async function keepWork(project: Record<string, any>) {
  try {
    const when = Date.now();
    await table('readwrite', (s) => s.put({ name: project.name, when, takes: project.takes.length, project }, when));
    const keys = (await table('readonly', (s) => s.getAllKeys())).map(Number).sort((a, b) => b - a);
    for (const old of keys.slice(kMost)) await table('readwrite', (s) => s.delete(old));
  } catch {
    // no room, or not allowed
  }
}
export const earlierWork = async (): Promise<Work[]> => {
  const all = await table('readonly', (s) => s.getAll()).catch(() => []);
  return all.map((x) => ({ key: x.when, name: x.name, when: x.when, takes: x.takes })).sort((a, b) => b.when - a.when);
};
export const workTexts = (): Promise<string[]> => table('readonly', (s) => s.getAll()).then((all) => all.map((x) => JSON.stringify(x.project)), () => []);
export const workOf = (key: number): Promise<any> => table('readonly', (s) => s.get(key)).then((x) => x?.project ?? null, () => null);
