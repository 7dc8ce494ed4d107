import { expect, test } from "vitest";
import { fullBucket, refill, type TokenBucket } from "./token-bucket.ts";

/** Counts the requests at these times that are let through. */
function countPassed(bucket: TokenBucket, perSecond: number | null, times: readonly number[]): number {
  return times.filter((at) => {
    if (refill(bucket, perSecond, at) < 1) return false;
    bucket.tokens -= 1;
    return true;
  }).length;
}

const atRate = (perSecond: number, seconds: number) =>
  Array.from({ length: perSecond * seconds }, (_, n) => (n * 1000) / perSecond);

test.each([
  ["a burst of one second's rate", 20, Array(20).fill(0), 20],
  ["one second's rate of a larger burst", 20, Array(100).fill(0), 20],
  ["all requests at the rate", 20, atRate(20, 10), 200],
  ["the rate and one burst at ten times the rate", 20, atRate(200, 10), 219],
  ["at most one second's rate after a pause", 20, [...Array(30).fill(0), ...Array(30).fill(9e6)], 40],
  ["all requests without a rate", null, Array(1000).fill(0), 1000],
  ["no additional requests if time runs backwards", 1, [1000, 0, 500, 999], 1],
])("lets through %s", (_, perSecond, times, expected) => {
  expect(countPassed(fullBucket(), perSecond, times)).toBe(expected);
});
