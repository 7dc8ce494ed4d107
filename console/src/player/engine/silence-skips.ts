import { gaps, type Span, spanAt } from "./speech.ts";

/** Shorter pauses are not skipped. */
export const longSilenceMs = 1500;
/** Part of a silence that is still played. */
const margin = { afterMs: 350, beforeMs: 250 };

/** Ranges to skip: long silences without the margins. */
export function skipsOf(anySpeech: readonly Span[], durationMs: number): Span[] {
  return gaps(anySpeech, durationMs)
    .filter(([from, to]) => to - from > longSilenceMs)
    .map(
      ([from, to]): Span => [
        from === 0 ? 0 : from + margin.afterMs,
        // No margin at the end of the call.
        to === durationMs ? durationMs : to - margin.beforeMs,
      ],
    );
}

/** Position to jump to. Undefined: no skip here. */
export function skipFrom(skips: readonly Span[], ms: number): number | undefined {
  const skip = spanAt(skips, ms);
  // Not worth a jump.
  return skip && skip[1] - ms > 100 ? skip[1] : undefined;
}

/**
 * Position that many milliseconds of played audio earlier. Skipped silence does not count; otherwise seeking back would
 * be undone.
 */
export function seekBackFrom(skips: readonly Span[], ms: number, byMs: number): number {
  let to = ms - byMs;
  for (const [from, end] of skips.toReversed()) {
    if (from < ms && end > to) to -= Math.min(ms, end) - from;
  }
  return Math.max(0, to);
}

export const skippedMs = (skips: readonly Span[]): number => skips.reduce((sum, [from, to]) => sum + to - from, 0);
