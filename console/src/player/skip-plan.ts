import { gaps, type Span, spanAt } from "./speech.ts";

/** Shorter pauses belong to the conversation. */
export const longSilenceMs = 1500;
/** What stays of a silence: enough to hear that there was one. */
const breath = { afterMs: 350, beforeMs: 250 };

/** The stretches that are jumped over: nobody speaks for long, less a breath on either side. */
export function skipsOf(anybody: readonly Span[], durationMs: number): Span[] {
  return gaps(anybody, durationMs)
    .filter(([from, to]) => to - from > longSilenceMs)
    .map(
      ([from, to]): Span => [
        from === 0 ? 0 : from + breath.afterMs,
        // At the end there is nothing to come back for.
        to === durationMs ? durationMs : to - breath.beforeMs,
      ],
    );
}

/** Where to go on from here; undefined: here. */
export function skipFrom(skips: readonly Span[], ms: number): number | undefined {
  const skip = spanAt(skips, ms);
  // What is nearly over is quicker heard than skipped.
  return skip && skip[1] - ms > 100 ? skip[1] : undefined;
}

/** So much earlier in what is heard: what is jumped over does not count, or one would come back to where one was. */
export function backFrom(skips: readonly Span[], ms: number, byMs: number): number {
  let to = ms - byMs;
  for (const [from, end] of skips.toReversed()) {
    if (from < ms && end > to) to -= Math.min(ms, end) - from;
  }
  return Math.max(0, to);
}

export const skippedMs = (skips: readonly Span[]): number => skips.reduce((sum, [from, to]) => sum + to - from, 0);
