import { expect, test } from "vitest";
import { afterTry, blockedMs, type Guess, networkOf } from "./guess.ts";

const start = new Date("2026-11-15T08:00:00Z");
const later = (ms: number) => new Date(start.getTime() + ms);
const none: Guess = { tries: 0, lastAt: start, blockedUntil: null };
const tried = (times: number) => {
  let guess = none;
  for (let count = 0; count < times; count++) guess = afterTry("pair", guess, start);
  return guess;
};

test("five tries are free, then the pauses grow up to a quarter of an hour", () => {
  const pauses = Array.from({ length: 16 }, (_, index) => blockedMs(tried(index + 1), start) / 1000);
  expect(pauses).toEqual([0, 0, 0, 0, 5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900, 900]);
});

test("a try is forgotten after a while, also if others come meanwhile", () => {
  const half = 30 * 60_000;
  expect(afterTry("pair", tried(4), later(half)).tries).toBe(4);
  expect(afterTry("pair", tried(4), later(10 * half)).tries).toBe(1);
  // Every ten minutes one more: each third one is forgotten.
  let guess = none;
  for (let count = 0; count < 9; count++) guess = afterTry("pair", guess, later(count * 600_000));
  expect(guess.tries).toBe(7);
});

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["::ffff:10.1.2.3", "10.1.2.3"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:0DB8:0001:2::1", "2001:db8:1:2"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
])("%s is counted as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
