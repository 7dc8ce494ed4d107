import { expect, test } from "vitest";
import { openActiveTime } from "./active-time.ts";

test("counts until 30 s after the last input", () => {
  const time = openActiveTime(5000, 0);
  expect(time.total(10_000)).toBe(15_000);
  time.input(20_000);
  expect(time.total(49_000)).toBe(54_000);
  expect(time.total(300_000)).toBe(55_000);
  time.input(300_000);
  expect(time.total(301_000)).toBe(56_000);
});

test("does not count while another tab is visible", () => {
  const time = openActiveTime(0, 0);
  time.setVisible(false, 1000);
  expect(time.total(20_000)).toBe(1000);
  time.setVisible(true, 20_000);
  expect(time.total(21_000)).toBe(2000);
});

test("never decreases, and takes over more time that was measured elsewhere", () => {
  const time = openActiveTime(0, 0);
  expect(time.total(1000)).toBe(1000);
  expect(time.total(500)).toBe(1000);
  time.atLeast(60_000);
  expect(time.total(2000)).toBe(61_000);
});
