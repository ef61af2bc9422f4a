// Frames as bytes; docs/studio-protocol.md.
export interface Frame {
  scene: number;
  playing: boolean;
  atEnd: boolean;
  ghost: boolean; // of another take
  led: boolean; // by a hand, while time stands still
  step: number; // with a fraction between two steps
  time: number; // s
  end: number; // last step of the take
  rate: number; // simulated seconds per second
  stats: Float32Array; // kinetic, potential, drift, contacts, penetration, gap, ms, sleeping, largest energy
  poses: Float32Array; // seven per body: x y z, w x y z
}

export function decodeFrame(bytes: ArrayBuffer): Frame {
  const view = new DataView(bytes);
  if (view.getUint32(0, true) !== 0x4d524654) throw new Error('not a frame');
  const flags = view.getUint32(12, true);
  const bodies = view.getUint32(48, true);
  const stats = view.getUint32(52, true);
  return {
    scene: view.getUint32(8, true),
    playing: (flags & 1) !== 0,
    atEnd: (flags & 2) !== 0,
    ghost: (flags & 8) !== 0,
    led: (flags & 16) !== 0,
    step: view.getFloat64(16, true),
    time: view.getFloat64(24, true),
    end: view.getFloat64(32, true),
    rate: view.getFloat64(40, true),
    stats: new Float32Array(bytes, 56, stats),
    poses: new Float32Array(bytes, 56 + 4 * stats, 7 * bodies),
  };
}
