/** The picture of a call's loudness: the extremes of every fiftieth of a second, and coarser ones to draw it small. */
export interface Waveform {
  readonly channels: number;
  readonly pointsPerSecond: number;
  readonly durationMs: number;
  /** Each half as fine as the one before. For every point, for every channel: its lowest and its highest sample. */
  readonly levels: readonly Level[];
  /** The loudest sample of each channel, 0 to 1. */
  readonly peaks: readonly number[];
}

interface Level {
  readonly points: number;
  readonly data: Int8Array;
}

const headBytes = 24;
/** A level with fewer points than this is never needed: no screen is so narrow. */
const fewestPoints = 256;

/** Reads version 2 of audiowaveform's format, as docs/waveform.md has it. */
export function readWaveform(bytes: Uint8Array): Waveform {
  if (bytes.length < headBytes) throw new Error("The waveform is cut short.");
  const head = new DataView(bytes.buffer, bytes.byteOffset, headBytes);
  const version = head.getInt32(0, true);
  const flags = head.getUint32(4, true);
  const pointsPerSecond = head.getInt32(8, true) / head.getInt32(12, true);
  const channels = head.getInt32(20, true);
  if (version !== 2 || flags !== 1) throw new Error(`The waveform has version ${version} and flags ${flags}.`);
  const perPoint = channels * 2;
  const points = Math.min(head.getUint32(16, true), Math.floor((bytes.length - headBytes) / perPoint));
  const first = { points, data: new Int8Array(bytes.buffer, bytes.byteOffset + headBytes, points * perPoint) };
  const levels = [first];
  for (let last = first; last.points > fewestPoints; ) {
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
  /** How many bars it is drawn with. */
  readonly bars: number;
}

/** How loud a channel is at its loudest within each bar, 0 to 1. Before the beginning and after the end it is 0. */
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
    let most = 0;
    for (let point = Math.max(0, start); point < Math.min(end, points); point++) {
      const at = point * step + channel * 2;
      most = Math.max(most, -(data[at] ?? 0), data[at + 1] ?? 0);
    }
    loudness[bar] = most / 128;
  }
  return loudness;
}
