import type { SpeechBody } from "@hearback/sdk";

/** Start and end in milliseconds. */
export type Span = readonly [fromMs: number, toMs: number];
export type SideName = SpeechBody["sides"][number]["side"];

interface SpokenSide {
  readonly side: SideName;
  readonly turns: readonly Span[];
}

/** Union of spans. */
export function mergeSpans(...sides: readonly (readonly Span[])[]): Span[] {
  const spans: [number, number][] = [];
  for (const [from, to] of sides.flat().toSorted(([a], [b]) => a - b)) {
    const last = spans.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else spans.push([from, to]);
  }
  return spans;
}

/** Intersection of spans (overtalk). */
export function overlaps(a: readonly Span[], b: readonly Span[]): Span[] {
  const spans: Span[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [mine, other] = [a[i] ?? [0, 0], b[j] ?? [0, 0]];
    const [from, to] = [Math.max(mine[0], other[0]), Math.min(mine[1], other[1])];
    if (from < to) spans.push([from, to]);
    if (mine[1] < other[1]) i++;
    else j++;
  }
  return spans;
}

/** Complement of spans within the call. */
export function gaps(spans: readonly Span[], durationMs: number): Span[] {
  const between: Span[] = [];
  let since = 0;
  for (const [from, to] of spans) {
    if (from > since) between.push([since, from]);
    since = Math.max(since, to);
  }
  if (durationMs > since) between.push([since, durationMs]);
  return between;
}

/** Span that contains a time. Spans are sorted and disjoint. */
export function spanAt(spans: readonly Span[], ms: number): Span | undefined {
  const span = spans[lastNotAfter(spans, ms)];
  return span && ms < span[1] ? span : undefined;
}

/** Index of the last span that starts at or before the time, or -1. */
function lastNotAfter(spans: readonly Span[], ms: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spans[middle]?.[0] ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Start slightly early, so that the first word is complete. */
const leadMs = 150;
/** Start of the next span. */
export function nextSpeech(spans: readonly Span[], ms: number): number | undefined {
  const next = spans.find(([from]) => from - leadMs > ms + 1);
  return next && Math.max(0, next[0] - leadMs);
}

/** Start of the current span or, within `graceMs` of it, of the previous one. */
export function previousSpeech(spans: readonly Span[], ms: number, graceMs: number): number | undefined {
  const before = spans.findLast(([from]) => Math.max(0, from - leadMs) < ms - graceMs);
  return before && Math.max(0, before[0] - leadMs);
}

/** Sides that speak at a time, in lane order. */
export function speakersAt(sides: readonly SpokenSide[], ms: number): SideName[] {
  return sides.filter(({ turns }) => spanAt(turns, ms)).map(({ side }) => side);
}
