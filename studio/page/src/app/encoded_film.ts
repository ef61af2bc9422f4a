// Pictures that the browser encodes one after the other; what makes a file of them is the matter of
// mp4.ts and webm.ts.
export type Bytes = number[] | Uint8Array;
export function join(parts: Bytes[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

interface Encoded {
  ms: number;
  key: boolean;
  bytes: Uint8Array;
}

export abstract class EncodedFilm {
  protected pictures: Encoded[] = [];
  private encoder: VideoEncoder;
  private trouble: Error | null = null;

  constructor(
    protected fps: number,
    config: Omit<VideoEncoderConfig, 'framerate'>,
  ) {
    this.encoder = new VideoEncoder({
      output: (chunk, about) => {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        this.pictures.push({ ms: Math.round(chunk.timestamp / 1000), key: chunk.type === 'key', bytes });
        if (about?.decoderConfig?.description) this.describe(about.decoderConfig.description);
      },
      error: (error) => (this.trouble = error),
    });
    this.encoder.configure({ ...config, framerate: fps });
  }

  // What a decoder must know beside the pictures; not all kinds have it.
  protected describe(_: AllowSharedBufferSource) {}
  protected abstract file(): Blob;

  async add(picture: CanvasImageSource, index: number) {
    const frame = new VideoFrame(picture, { timestamp: Math.round((1e6 * index) / this.fps) });
    this.encoder.encode(frame, { keyFrame: index % 50 === 0 });
    frame.close();
    while (this.encoder.encodeQueueSize > 4 && !this.trouble) await new Promise((resolve) => setTimeout(resolve, 2));
    if (this.trouble) throw this.trouble;
  }

  async finish(): Promise<Blob> {
    await this.encoder.flush();
    this.encoder.close();
    if (this.trouble) throw this.trouble;
    return this.file();
  }
}
