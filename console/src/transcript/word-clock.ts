import type { TranscriptBody, TranscriptTurn } from "@hearback/sdk";

/** Times of the words of one channel. Within a channel, words follow each other; between channels, they overlap. */
interface ChannelTimes {
  readonly channel: TranscriptTurn["channel"];
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  /** Index of each word in the transcript. */
  readonly words: Uint32Array;
}

export type WordClock = readonly ChannelTimes[];

/** A word stays current in a pause that is shorter than this. */
const holdMs = 300;

export function toWordClock({ turns }: Pick<TranscriptBody, "turns">): WordClock {
  const channels = new Map<TranscriptTurn["channel"], { start: number; end: number; word: number }[]>();
  let index = 0;
  for (const { channel, words } of turns) {
    const times = channels.get(channel) ?? [];
    channels.set(channel, times);
    for (const { start_ms, end_ms } of words) times.push({ start: start_ms, end: end_ms, word: index++ });
  }
  return [...channels].map(([channel, times]) => {
    times.sort((a, b) => a.start - b.start);
    return {
      channel,
      starts: Float64Array.from(times, ({ start }) => start),
      ends: Float64Array.from(times, ({ end }) => end),
      words: Uint32Array.from(times, ({ word }) => word),
    };
  });
}

/** Word of each channel that is said at a time. */
export const wordsAt = (clock: WordClock, ms: number): number[] =>
  clock.flatMap(({ starts, ends, words }) => {
    const at = lastNotAfter(starts, ms);
    return at >= 0 && ms < (ends[at] ?? 0) + holdMs ? [words[at] ?? 0] : [];
  });

/** Word that began last, on any channel, or undefined before the first one. */
export function latestWord(clock: WordClock, ms: number): number | undefined {
  let latest: { readonly start: number; readonly word: number } | undefined;
  for (const { starts, words } of clock) {
    const at = lastNotAfter(starts, ms);
    const start = starts[at] ?? -1;
    if (at >= 0 && (!latest || start > latest.start)) latest = { start, word: words[at] ?? 0 };
  }
  return latest?.word;
}

/** Index of the last start at or before a time, or -1. */
function lastNotAfter(starts: Float64Array, ms: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
