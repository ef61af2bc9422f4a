declare module '*.mjs' {
  export function loadModule(bytes: BufferSource, onMessage?: (text: string) => void, more?: object): Promise<any>;
}
