/** Min/max peaks of a call at 50 points per second, with coarser levels for zooming out. */
export interface Waveform {
  readonly channels: number;
  readonly pointsPerSecond: number;
  readonly durationMs: number;
  /** Each level has half the points of the previous one. Per point and channel: minimum and maximum. */
  readonly levels: readonly Level[];
  readonly peaks: readonly number[];
}

interface Level {
  readonly points: number;
  readonly data: Int8Array;
}

const headBytes = 24;
/** Coarser levels are never needed. */
const minPoints = 256;

/** Parses version 2 of the audiowaveform format; see docs/waveform.md. */
export function parseWaveform(bytes: Uint8Array): Waveform {
  if (bytes.length < headBytes) throw new Error("The waveform is truncated.");
  const head = new DataView(bytes.buffer, bytes.byteOffset, headBytes);
  const version = head.getInt32(0, true);
  const flags = head.getUint32(4, true);
  const pointsPerSecond = head.getInt32(8, true) / head.getInt32(12, true);
  const channels = head.getInt32(20, true);
  if (version !== 2 || flags !== 1) throw new Error(`Unsupported waveform: version ${version}, flags ${flags}.`);
  const perPoint = channels * 2;
  const points = Math.min(head.getUint32(16, true), Math.floor((bytes.length - headBytes) / perPoint));
  const first = { points, data: new Int8Array(bytes.buffer, bytes.byteOffset + headBytes, points * perPoint) };
  const levels = [first];
  for (let last = first; last.points > minPoints; ) {
    last = halved(last, channels);
    levels.push(last);
  }
  const durationMs = (points / pointsPerSecond) * 1000;
  return { channels, pointsPerSecond, durationMs, levels, peaks: peaksOf(levels.at(-1) ?? first, channels) };
}

function halved({ points, data }: Level, channels: number): Level {
  const half = Math.ceil(points / 2);
  const step = channels * 2;
  const less = new Int8Array(half * step);
  for (let point = 0; point < half; point++) {
    const [from, to] = [point * 2 * step, Math.min(point * 2 + 1, points - 1) * step];
    for (let at = 0; at < step; at += 2) {
      less[point * step + at] = Math.min(data[from + at] ?? 0, data[to + at] ?? 0);
      less[point * step + at + 1] = Math.max(data[from + at + 1] ?? 0, data[to + at + 1] ?? 0);
    }
  }
  return { points: half, data: less };
}

function peaksOf({ data }: Level, channels: number): number[] {
  const peaks = new Array<number>(channels).fill(0);
  data.forEach((sample, at) => {
    const channel = Math.floor(at / 2) % channels;
    peaks[channel] = Math.max(peaks[channel] ?? 0, Math.abs(sample) / 128);
  });
  return peaks;
}

export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly bars: number;
}

/** Peak of a channel per bar, 0 to 1. 0 outside the call. */
export function barsOf(waveform: Waveform, channel: number, { fromMs, toMs, bars }: Stretch): Float32Array {
  const pointsPerMs = waveform.pointsPerSecond / 1000;
  const perBar = ((toMs - fromMs) * pointsPerMs) / bars;
  const power = Math.max(0, Math.min(waveform.levels.length - 1, Math.floor(Math.log2(Math.max(1, perBar)))));
  const { data, points } = waveform.levels[power] ?? { data: new Int8Array(), points: 0 };
  const step = waveform.channels * 2;
  const scale = 2 ** power;
  const loudness = new Float32Array(bars);
  for (let bar = 0; bar < bars; bar++) {
    const start = Math.floor((fromMs * pointsPerMs + bar * perBar) / scale);
    const end = Math.max(start + 1, Math.floor((fromMs * pointsPerMs + (bar + 1) * perBar) / scale));
    let peak = 0;
    for (let point = Math.max(0, start); point < Math.min(end, points); point++) {
      const at = point * step + channel * 2;
      peak = Math.max(peak, -(data[at] ?? 0), data[at + 1] ?? 0);
    }
    loudness[bar] = peak / 128;
  }
  return loudness;
}
