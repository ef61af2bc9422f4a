// A value as a text for the fragment of an address: JSON, deflated, base64 for addresses.
async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const source = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as unknown as ReadableWritablePair<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(source as unknown as ReadableStream).arrayBuffer());
}

export async function packLink(value: unknown): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(value)), new CompressionStream('deflate-raw'));
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export async function unpackLink(text: string): Promise<any> {
  const raw = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = await through(Uint8Array.from(raw, (c) => c.charCodeAt(0)), new DecompressionStream('deflate-raw'));
  return JSON.parse(new TextDecoder().decode(bytes));
}
