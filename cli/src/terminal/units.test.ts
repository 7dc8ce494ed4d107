import { expect, test } from "vitest";
import {
  formatBytes,
  formatDuration,
  formatLimit,
  formatNumber,
  formatPercent,
  formatRate,
  formatTimecode,
  pluralize,
} from "./units.ts";

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 kB"],
  [97_000, "97.0 kB"],
  [999_499, "999 kB"],
  [999_700, "1.0 MB"],
  [1_934_567_890, "1.9 GB"],
  [536_870_912, "537 MB"],
  [2.5e15, "2.5 PB"],
  [5e18, "5000 PB"],
])("%d bytes are %s", (bytes, text) => expect(formatBytes(bytes)).toBe(text));

test.each([
  [400_000, "400 kB"],
  [536_870_912, "512 MiB"],
  [1_610_612_736, "1,536 MiB"],
  [2_147_483_648, "2 GiB"],
])("a limit of %d bytes is %s", (bytes, text) => expect(formatLimit(bytes)).toBe(text));

test.each([
  [0, "0 ms"],
  [949, "949 ms"],
  [1000, "1 s"],
  [1440, "1.4 s"],
  [9_949, "9.9 s"],
  [45_000, "45 s"],
  [59_600, "1 min"],
  [200_000, "3 min 20 s"],
  [3_600_000, "1 h"],
  [7_500_000, "2 h 5 min"],
  [200_000_000, "2 d 7 h"],
])("%d ms are %s", (ms, text) => expect(formatDuration(ms)).toBe(text));

test.each([
  [0, "0/s"],
  [0.33, "20/min"],
  [3.44, "3.4/s"],
  [212.2, "212/s"],
  [12_345, "12,345/s"],
])("%d in a second are %s", (rate, text) => expect(formatRate(rate)).toBe(text));

test.each([
  [0, 10, "0%"],
  [9_999, 10_000, "99%"],
  [11_600, 20_000, "58%"],
  [10_000, 10_000, "100%"],
  [0, 0, "100%"],
])("%d of %d are %s", (part, all, text) => expect(formatPercent(part, all)).toBe(text));

test("formats counts with thousands separators and plurals", () => {
  expect([formatNumber(1_234_567), pluralize(1, "row"), pluralize(0, "row"), pluralize(2000, "row")]).toEqual([
    "1,234,567",
    "1 row",
    "0 rows",
    "2,000 rows",
  ]);
});

test.each([
  [0, "0:00"],
  [59_600, "1:00"],
  [100_000, "1:40"],
  [3_661_000, "1:01:01"],
])("%d ms are %s on a clock", (ms, text) => expect(formatTimecode(ms)).toBe(text));
