// A WebM file of pictures that are encoded one by one, each with its own time: nothing is dropped,
// however slow the machine. Matroska's elements: an id, a size, content (RFC 8794, RFC 9559).
import { type Bytes, EncodedFilm, join } from './encoded_film';

function bytesOf(value: number, length: number): number[] {
  return Array.from({ length }, (_, i) => Math.floor(value / 256 ** (length - 1 - i)) % 256);
}
const idBytes = (id: number) => bytesOf(id, id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1);
// Sizes always have eight bytes, of which the first says so.
const sizeBytes = (size: number) => [0x01, ...bytesOf(size, 7)];
function element(id: number, ...content: Bytes[]): Uint8Array {
  const inside = join(content);
  return join([idBytes(id), sizeBytes(inside.length), inside]);
}
const number = (id: number, value: number) => element(id, bytesOf(value, 4));
const text = (id: number, value: string) => element(id, [...new TextEncoder().encode(value)]);
function float(id: number, value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return element(id, bytes);
}

export class WebmFilm extends EncodedFilm {
  constructor(
    private width: number,
    private height: number,
    fps: number,
  ) {
    super(fps, { codec: 'vp8', width, height, bitrate: 8e6 });
  }
  static available = () => typeof VideoEncoder !== 'undefined';

  protected file(): Blob {
    const header = element(0x1a45dfa3, number(0x4286, 1), number(0x42f7, 1), number(0x42f2, 4), number(0x42f3, 8), text(0x4282, 'webm'), number(0x4287, 2), number(0x4285, 2));
    const duration = (1000 * this.pictures.length) / this.fps;
    const info = element(0x1549a966, number(0x2ad7b1, 1_000_000), float(0x4489, duration), text(0x4d80, 'Tenon'), text(0x5741, 'Tenon'));
    const video = element(0xe0, number(0xb0, this.width), number(0xba, this.height));
    const tracks = element(0x1654ae6b, element(0xae, number(0xd7, 1), number(0x73c5, 1), number(0x83, 1), text(0x86, 'V_VP8'), video));
    // a cluster for every picture that stands for itself: times in it have two bytes
    const clusters: Uint8Array[] = [];
    for (let i = 0; i < this.pictures.length; ) {
      const from = i;
      do ++i;
      while (i < this.pictures.length && !this.pictures[i].key);
      const begin = this.pictures[from].ms;
      const blocks = this.pictures.slice(from, i).map((p) => element(0xa3, [0x81, ...bytesOf(p.ms - begin, 2), p.key ? 0x80 : 0], p.bytes));
      clusters.push(element(0x1f43b675, number(0xe7, begin), ...blocks));
    }
    return new Blob([header as BlobPart, element(0x18538067, info, tracks, ...clusters) as BlobPart], { type: 'video/webm' });
  }
}
