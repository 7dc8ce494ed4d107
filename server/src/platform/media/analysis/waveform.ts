import type { Run } from "./speech.ts";

/** Points per second: enough for any zoom at which single words can be distinguished. */
export const pointsPerSecond = 50;
const headerBytes = 24;

export interface Waveform {
  readonly sampleRate: number;
  /** Per channel, the minimum and maximum sample of every point. */
  readonly channels: readonly { readonly lows: Int8Array; readonly highs: Int8Array }[];
}

/**
 * Encodes the waveform in version 2 of the BBC audiowaveform data format, 8 bit, which peaks.js and others read. See
 * docs/waveform.md.
 */
export function encodeWaveform({ sampleRate, channels }: Waveform): Buffer {
  const points = channels[0]?.lows.length ?? 0;
  const bytes = Buffer.alloc(headerBytes + points * channels.length * 2);
  bytes.writeInt32LE(2, 0);
  bytes.writeUInt32LE(1, 4);
  bytes.writeInt32LE(sampleRate, 8);
  bytes.writeInt32LE(sampleRate / pointsPerSecond, 12);
  bytes.writeUInt32LE(points, 16);
  bytes.writeInt32LE(channels.length, 20);
  const stride = channels.length * 2;
  channels.forEach(({ lows, highs }, channel) => {
    for (let point = 0; point < points; point++) {
      const at = headerBytes + point * stride + channel * 2;
      bytes.writeInt8(lows[point] ?? 0, at);
      bytes.writeInt8(highs[point] ?? 0, at + 1);
    }
  });
  return bytes;
}

/** Draws parts of a waveform as silence, in milliseconds. */
export function muteWaveform({ channels, ...rest }: Waveform, muted: readonly Run[]): Waveform {
  const pointOf = (ms: number) => (ms * pointsPerSecond) / 1000;
  const silence = (points: Int8Array) => {
    const copy = points.slice();
    for (const [start, end] of muted) copy.fill(0, Math.floor(pointOf(start)), Math.ceil(pointOf(end)));
    return copy;
  };
  return { ...rest, channels: channels.map(({ lows, highs }) => ({ lows: silence(lows), highs: silence(highs) })) };
}
