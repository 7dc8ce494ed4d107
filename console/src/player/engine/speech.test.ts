import { expect, test } from "vitest";
import { gaps, mergeSpans, nextSpeech, overlaps, previousSpeech, type Span, spanAt, speakersAt } from "./speech.ts";

const agent: Span[] = [
  [1000, 3000],
  [5000, 9000],
  [20_000, 21_000],
];
const customer: Span[] = [
  [2500, 4000],
  [8000, 8500],
  [8800, 12_000],
];

test("merges spans and finds the gaps", () => {
  const anySpeech = mergeSpans(agent, customer);
  expect(anySpeech).toEqual([
    [1000, 4000],
    [5000, 12_000],
    [20_000, 21_000],
  ]);
  expect(gaps(anySpeech, 22_000)).toEqual([
    [0, 1000],
    [4000, 5000],
    [12_000, 20_000],
    [21_000, 22_000],
  ]);
  expect(gaps([], 5000)).toEqual([[0, 5000]]);
  expect(gaps([[0, 5000]], 5000)).toEqual([]);
});

test("finds overtalk", () => {
  expect(overlaps(agent, customer)).toEqual([
    [2500, 3000],
    [8000, 8500],
    [8800, 9000],
  ]);
  expect(overlaps(agent, [])).toEqual([]);
});

test.each([
  [0, undefined],
  [1000, [1000, 3000]],
  [2999, [1000, 3000]],
  [3000, undefined],
  [20_500, [20_000, 21_000]],
  [30_000, undefined],
])("at %d ms the span is %j", (ms, span) => {
  expect(spanAt(agent, ms)).toEqual(span);
});

test("next speech starts slightly before the next span", () => {
  expect(nextSpeech(agent, 0)).toBe(850);
  expect(nextSpeech(agent, 850)).toBe(4850);
  expect(nextSpeech(agent, 4850)).toBe(19_850);
  expect(nextSpeech(agent, 19_850)).toBeUndefined();
  expect(nextSpeech([[100, 200]], 0)).toBeUndefined();
});

test("previous speech restarts the current span, or goes to the one before", () => {
  expect(previousSpeech(agent, 8000, 1000)).toBe(4850);
  expect(previousSpeech(agent, 5000, 1000)).toBe(850);
  expect(previousSpeech(agent, 4850, 1)).toBe(850);
  expect(previousSpeech(agent, 850, 1)).toBeUndefined();
  expect(previousSpeech([[100, 900]], 1500, 1000)).toBe(0);
});

test("finds the speakers", () => {
  const sides = [
    { side: "agent" as const, channel: "left" as const, turns: agent.map(([a, b]): [number, number] => [a, b]) },
    { side: "customer" as const, channel: "right" as const, turns: customer.map(([a, b]): [number, number] => [a, b]) },
  ];
  expect(speakersAt(sides, 500)).toEqual([]);
  expect(speakersAt(sides, 2700)).toEqual(["agent", "customer"]);
  expect(speakersAt(sides, 11_000)).toEqual(["customer"]);
});
