import { expect, test } from "vitest";
import { type Bucket, fullBucket, refill } from "./bucket.ts";

/** How many of the requests at these times get through. */
function taken(bucket: Bucket, perSecond: number | null, times: readonly number[]): number {
  return times.filter((at) => {
    if (refill(bucket, perSecond, at) < 1) return false;
    bucket.level -= 1;
    return true;
  }).length;
}

const steadily = (perSecond: number, seconds: number) =>
  Array.from({ length: perSecond * seconds }, (_, n) => (n * 1000) / perSecond);

test.each([
  ["all of a burst of one second's worth", 20, Array(20).fill(0), 20],
  ["no more than that of a larger one", 20, Array(100).fill(0), 20],
  ["all that come at the rate", 20, steadily(20, 10), 200],
  ["the rate and one burst of ten times as many", 20, steadily(200, 10), 219],
  [
    "what has come back after a pause, up to one second's worth",
    20,
    [...Array(30).fill(0), ...Array(30).fill(9e6)],
    40,
  ],
  ["everything without a rate", null, Array(1000).fill(0), 1000],
  ["none for time that runs backwards", 1, [1000, 0, 500, 999], 1],
])("lets through %s", (_, perSecond, times, expected) => {
  expect(taken(fullBucket(), perSecond, times)).toBe(expected);
});
