// An MP4 file of pictures that are encoded one by one: H.264 where the browser can encode it, else VP9,
// which MP4 takes as well. Boxes: a size, four letters, content (ISO/IEC 14496-12, 14496-15, and "VP
// Codec ISO Media File Format Binding"). The index stands in front, so that it plays while it loads.
import { type Bytes, EncodedFilm, join } from './encoded_film';

const u8 = (...values: number[]) => values;
const u16 = (value: number) => [(value >> 8) & 255, value & 255];
const u32 = (value: number) => [Math.floor(value / 2 ** 24) & 255, (value >> 16) & 255, (value >> 8) & 255, value & 255];
const letters = (text: string) => [...text].map((c) => c.charCodeAt(0));
const zeros = (count: number) => new Array<number>(count).fill(0);

const box = (kind: string, ...content: Bytes[]) => {
  const inside = join(content);
  return join([u32(inside.length + 8), letters(kind), inside]);
};
const full = (kind: string, flags: number, ...content: Bytes[]) => box(kind, u32(flags), ...content);
const identity = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].flatMap(u32);

export const codecs = [
  { name: 'H.264', codec: 'avc1.4d0028' },
  { name: 'VP9', codec: 'vp09.00.40.08' },
];
// The first that this browser encodes in this size; null: none.
export async function mp4Codec(width: number, height: number): Promise<(typeof codecs)[number] | null> {
  if (typeof VideoEncoder === 'undefined') return null;
  for (const one of codecs) {
    const asked = { codec: one.codec, width, height };
    if ((await VideoEncoder.isConfigSupported(asked).catch(() => null))?.supported) return one;
  }
  return null;
}

export class Mp4Film extends EncodedFilm {
  private description: Uint8Array | null = null; // of H.264: its parameter sets

  constructor(
    private width: number,
    private height: number,
    fps: number,
    private codec: string,
  ) {
    super(fps, { codec, width, height, bitrate: 6e6, latencyMode: 'quality', ...(codec.startsWith('avc1') ? { avc: { format: 'avc' as const } } : {}) });
  }
  protected describe(given: AllowSharedBufferSource) {
    this.description = new Uint8Array(ArrayBuffer.isView(given) ? given.buffer.slice(given.byteOffset, given.byteOffset + given.byteLength) : given);
  }

  protected file(): Blob {
    const brands = box('ftyp', letters('isom'), u32(512), letters('isomiso2mp41'));
    const size = this.pictures.reduce((sum, p) => sum + p.bytes.length, 0);
    // the index says where the pictures begin, which its own length decides
    const length = this.index(0).length;
    const index = this.index(brands.length + length + 8);
    const parts = [brands, index, new Uint8Array([...u32(size + 8), ...letters('mdat')]), ...this.pictures.map((p) => p.bytes)];
    return new Blob(parts as BlobPart[], { type: 'video/mp4' });
  }

  // One track; every picture lasts as long as the next, and all lie in one piece.
  private index(begin: number): Uint8Array {
    const count = this.pictures.length;
    const scale = 1000 * this.fps;
    const duration = 1000 * count;
    const keys = this.pictures.flatMap((p, i) => (p.key ? [i + 1] : []));
    const table = box(
      'stbl',
      full('stsd', 0, u32(1), this.sample()),
      full('stts', 0, u32(1), u32(count), u32(1000)),
      full('stss', 0, u32(keys.length), keys.flatMap(u32)),
      full('stsc', 0, u32(1), u32(1), u32(count), u32(1)),
      full('stsz', 0, u32(0), u32(count), this.pictures.flatMap((p) => u32(p.bytes.length))),
      full('stco', 0, u32(1), u32(begin)),
    );
    const media = box(
      'mdia',
      full('mdhd', 0, u32(0), u32(0), u32(scale), u32(duration), u16(0x55c4), u16(0)),
      full('hdlr', 0, u32(0), letters('vide'), zeros(12), letters('Tenon\0')),
      box('minf', full('vmhd', 1, zeros(8)), box('dinf', full('dref', 0, u32(1), full('url ', 1))), table),
    );
    const track = box('trak', full('tkhd', 3, u32(0), u32(0), u32(1), u32(0), u32(duration), zeros(16), identity, u32(this.width * 65536), u32(this.height * 65536)), media);
    const head = full('mvhd', 0, u32(0), u32(0), u32(scale), u32(duration), u32(0x10000), u16(0x100), zeros(10), identity, zeros(24), u32(2));
    return box('moov', head, track);
  }
  private sample(): Uint8Array {
    const avc = this.codec.startsWith('avc1');
    const name = 'Tenon';
    const picture = [zeros(6), u16(1), zeros(16), u16(this.width), u16(this.height), u32(0x480000), u32(0x480000), u32(0), u16(1), u8(name.length, ...letters(name), ...zeros(31 - name.length)), u16(24), u16(0xffff)];
    if (avc) return box('avc1', ...picture, box('avcC', this.description ?? new Uint8Array()));
    // profile 0, level 4, eight bits, 4:2:0, video range, BT.709
    return box('vp09', ...picture, full('vpcC', 0x1000000, u8(0, 40, 0x82, 1, 1, 1, 0, 0)));
  }
}
