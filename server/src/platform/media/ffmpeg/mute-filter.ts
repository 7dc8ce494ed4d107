import type { Run } from "../analysis/speech.ts";

/** Longer expressions would take longer to evaluate than the encoder needs. */
const mostParts = 500;

/**
 * Filter that silences parts of the sound, in milliseconds, on all channels. Time is counted in samples, as the analysis does:
 * timestamps in a container may begin later than zero. Frames of 10 ms, because a frame is silenced as a whole.
 */
export function muteFilter(parts: readonly Run[], sampleRate: number): string {
  if (parts.length === 0) return "";
  const within = joinShortGaps(parts).map(([start, end]) => `between(t,${seconds(start - frameMs)},${seconds(end)})`);
  return `asetpts=N/SR/TB,asetnsamples=n=${sampleRate / 100}:p=0,volume=volume=0:enable='${within.join("+")}'`;
}

const frameMs = 10;
const seconds = (ms: number) => (Math.max(0, ms) / 1000).toFixed(3);

/** Joins the parts with the shortest pauses between them until there are few enough. */
function joinShortGaps(parts: readonly Run[]): Run[] {
  const ordered = parts.toSorted((a, b) => a[0] - b[0]);
  const gaps = ordered.slice(1).map(([start], index) => start - (ordered[index]?.[1] ?? 0));
  const excess = ordered.length - mostParts;
  const shortest = excess > 0 ? (gaps.toSorted((a, b) => a - b)[excess - 1] ?? 0) : 0;
  const joined: [number, number][] = [];
  for (const [start, end] of ordered) {
    const last = joined.at(-1);
    if (last && start - last[1] <= shortest) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}
