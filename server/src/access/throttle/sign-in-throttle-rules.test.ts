import { expect, test } from "vitest";
import { afterAttempt, blockedMs, type ThrottleState } from "./sign-in-throttle-rules.ts";

const start = new Date("2026-11-15T08:00:00Z");
const later = (ms: number) => new Date(start.getTime() + ms);
const none: ThrottleState = { tries: 0, lastAt: start, blockedUntil: null };
const tried = (times: number) => {
  let guess = none;
  for (let count = 0; count < times; count++) guess = afterAttempt("pair", guess, start);
  return guess;
};

test("five attempts are free, then the backoff doubles up to 15 minutes", () => {
  const pauses = Array.from({ length: 16 }, (_, index) => blockedMs(tried(index + 1), start) / 1000);
  expect(pauses).toEqual([0, 0, 0, 0, 5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900, 900]);
});

test("attempts decay over time, even while others are made", () => {
  const half = 30 * 60_000;
  expect(afterAttempt("pair", tried(4), later(half)).tries).toBe(4);
  expect(afterAttempt("pair", tried(4), later(10 * half)).tries).toBe(1);
  // One attempt every ten minutes, one decays every thirty.
  let guess = none;
  for (let count = 0; count < 9; count++) guess = afterAttempt("pair", guess, later(count * 600_000));
  expect(guess.tries).toBe(7);
});
