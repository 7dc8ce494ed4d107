import { expect, test } from "vitest";
import { isOpen, probeDelay } from "./circuit-breaker.ts";

const now = new Date("2026-11-16T12:00:00Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);

test.each([
  [null, 0, false],
  [null, 19, false],
  [null, 20, true],
  [ago(9), 1, false],
  [ago(10), 1, true],
])("failing since %s, %i times in a row: open is %s", (failingSince, failures, open) => {
  expect(isOpen({ failingSince, failures, now, factor: 1 })).toBe(open);
});

test.each([
  [0, 2],
  [60, 2],
  [600, 10],
  [3_600, 60],
  [86_400, 60],
])("after %i s of failures a probe is sent every %i s", (seconds, pause) => {
  expect(probeDelay({ failingSince: ago(seconds), now, factor: 1 })).toBe(pause * 1000);
});
