// Files that were dropped on the page, kept by the browser: a reload hands them over again.
const kBase = 'tenon';
const kTable = 'files';

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(kBase, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(kTable);
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}
async function table<T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const base = await open();
  return new Promise((resolve, reject) => {
    const work = base.transaction(kTable, mode);
    const asked = use(work.objectStore(kTable));
    work.oncomplete = () => (base.close(), resolve(asked.result));
    work.onerror = work.onabort = () => (base.close(), reject(work.error));
  });
}
// False where the browser has no room, or lets nothing be kept.
export const keepFile = (name: string, bytes: ArrayBuffer): Promise<boolean> => table('readwrite', (s) => s.put(bytes, name)).then(() => true, () => false);
export const forgetFile = (name: string) => table('readwrite', (s) => s.delete(name)).catch(() => undefined);
export const keptNames = (): Promise<string[]> => table('readonly', (s) => s.getAllKeys()).then((keys) => keys.map(String), () => []);
export const keptFile = (name: string): Promise<ArrayBuffer | undefined> => table('readonly', (s) => s.get(name)).catch(() => undefined);
