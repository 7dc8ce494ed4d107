/** A speech segment in frames: start inclusive, end exclusive. */
export type Run = readonly [start: number, end: number];

/** Levels are stored as one byte per frame, in steps of 0.5 dB above this. */
const bottom = -127.5;
const decibels = (byte: number) => bottom + byte / 2;

/** The level of a frame as a byte, from its weighted mean square. */
export const levelOf = (meanSquare: number) =>
  meanSquare > 0 ? Math.max(0, Math.min(255, Math.round((10 * Math.log10(meanSquare) - bottom) * 2))) : 0;

export interface SpeechOptions {
  readonly framesPerSecond: number;
  /** Levels of the other channel. Sound that is much quieter here than there is an echo. */
  readonly other?: Uint8Array;
}

/** Level in dB below which there is no speech. */
const minVoice = -50;
const noiseQuantile = 0.1;
/** Parameters of the speech threshold between noise and voice, in dB. */
const aboveNoise = 10;
const leastAboveNoise = 5;
const mostBelowVoice = 32;
const leastBelowVoice = 18;
const echoBelowOther = 18;
const echoBelowVoice = 10;
/** Shorter pauses do not split a segment; shorter segments are clicks. */
const maxPauseMs = 300;
const minSegmentMs = 120;

/** Detects speech segments from the frame levels. */
export function findSpeech(levels: Uint8Array, { framesPerSecond, other }: SpeechOptions): Run[] {
  const histogram = new Float64Array(256);
  for (const level of levels) histogram[level] = (histogram[level] ?? 0) + 1;
  // Voice level: the level exceeded for 1% of the call or a third of a second, so that a single click does not count.
  const loudest = Math.min(levels.length / 100, framesPerSecond / 3);
  const voice = decibels(quantile(histogram, levels.length - loudest));
  if (voice < minVoice) return [];
  const noise = decibels(quantile(histogram, levels.length * noiseQuantile));
  const between = Math.min(Math.max(noise + aboveNoise, voice - mostBelowVoice), voice - leastBelowVoice);
  const threshold = Math.max(between, noise + leastAboveNoise);

  const isSpeech = (frame: number) => {
    const level = decibels(levels[frame] ?? 0);
    if (level < threshold) return false;
    const there = decibels(other?.[frame] ?? 0);
    return !(there - level > echoBelowOther && level < voice - echoBelowVoice);
  };
  const frames = (ms: number) => Math.round((ms * framesPerSecond) / 1000);
  return mergeSegments(runsOf(levels.length, isSpeech), frames(maxPauseMs), frames(minSegmentMs));
}

/** The level below which `count` frames are. */
function quantile(histogram: Float64Array, count: number): number {
  let passed = 0;
  for (let level = 0; level < 256; level++) {
    passed += histogram[level] ?? 0;
    if (passed > count) return level;
  }
  return 255;
}

function runsOf(length: number, is: (frame: number) => boolean): Run[] {
  const runs: Run[] = [];
  let start = -1;
  for (let frame = 0; frame <= length; frame++) {
    const inside = frame < length && is(frame);
    if (inside && start < 0) start = frame;
    if (!inside && start >= 0) {
      runs.push([start, frame]);
      start = -1;
    }
  }
  return runs;
}

/** Joins segments across short pauses and drops segments that are too short. */
function mergeSegments(runs: Run[], maxPause: number, minLength: number): Run[] {
  const joined: [number, number][] = [];
  for (const [start, end] of runs) {
    const last = joined.at(-1);
    if (last && start - last[1] <= maxPause) last[1] = end;
    else joined.push([start, end]);
  }
  return joined.filter(([start, end]) => end - start >= minLength);
}

/** Segments in which both sides speak. */
export function overlaps(a: readonly Run[], b: readonly Run[]): Run[] {
  const both: Run[] = [];
  for (let i = 0, j = 0; ; ) {
    const left = a[i];
    const right = b[j];
    if (!left || !right) return both;
    const start = Math.max(left[0], right[0]);
    const end = Math.min(left[1], right[1]);
    if (start < end) both.push([start, end]);
    if (left[1] < right[1]) i++;
    else j++;
  }
}

/** Segments in which neither side speaks. */
export function silences(sides: readonly (readonly Run[])[], length: number): Run[] {
  const speech = sides.flat().sort((a, b) => a[0] - b[0]);
  const quiet: Run[] = [];
  let at = 0;
  for (const [start, end] of speech) {
    if (start > at) quiet.push([at, start]);
    at = Math.max(at, end);
  }
  if (at < length) quiet.push([at, length]);
  return quiet;
}

export const total = (runs: readonly Run[]) => runs.reduce((sum, [start, end]) => sum + end - start, 0);
export const longest = (runs: readonly Run[]) => runs.reduce((max, [start, end]) => Math.max(max, end - start), 0);
