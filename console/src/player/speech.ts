import type { SpeechBody } from "@hearback/sdk";

/** From when to when, in milliseconds from the beginning. */
export type Span = readonly [fromMs: number, toMs: number];
export type SideName = SpeechBody["sides"][number]["side"];

interface SpokenSide {
  readonly side: SideName;
  readonly turns: readonly Span[];
}

/** Spans that overlap or touch become one: when anybody speaks. */
export function together(...sides: readonly (readonly Span[])[]): Span[] {
  const spans: [number, number][] = [];
  for (const [from, to] of sides.flat().toSorted(([a], [b]) => a - b)) {
    const last = spans.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else spans.push([from, to]);
  }
  return spans;
}

/** When both speak at once. */
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

/** What lies between the spans, from the beginning to the end. */
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

/** The span that holds this moment. Spans are in order and do not overlap. */
export function spanAt(spans: readonly Span[], ms: number): Span | undefined {
  const span = spans[lastNotAfter(spans, ms)];
  return span && ms < span[1] ? span : undefined;
}

/** The index of the last span that has begun by then; -1: none has. */
function lastNotAfter(spans: readonly Span[], ms: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spans[middle]?.[0] ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** One hears the beginning of a word only if one begins a little before it. */
const leadMs = 150;
/** Where to go to hear the next that is said. */
export function nextSpeech(spans: readonly Span[], ms: number): number | undefined {
  const next = spans.find(([from]) => from - leadMs > ms + 1);
  return next && Math.max(0, next[0] - leadMs);
}

/** Where to go to hear this again or, within `graceMs` of its beginning, what was said before. */
export function previousSpeech(spans: readonly Span[], ms: number, graceMs: number): number | undefined {
  const before = spans.findLast(([from]) => Math.max(0, from - leadMs) < ms - graceMs);
  return before && Math.max(0, before[0] - leadMs);
}

/** Who speaks at this moment, in the order of the sides. */
export function speakersAt(sides: readonly SpokenSide[], ms: number): SideName[] {
  return sides.filter(({ turns }) => spanAt(turns, ms)).map(({ side }) => side);
}
