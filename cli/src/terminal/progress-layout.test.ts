import { expect, test } from "vitest";
import type { Progress } from "../import/progress.ts";
import { drawProgress, formatProgress, type ProgressSnapshot } from "./progress-layout.ts";
import { openStyle } from "./style.ts";
import { textWidth } from "./text-width.ts";

const progress: Progress = {
  phase: "importing",
  total: 20_000,
  totalBytes: 1_940_000_000,
  done: 11_600,
  doneBytes: 1_125_200_000,
  sentBytes: 1_125_200_000,
  imported: 11_477,
  present: 120,
  failed: 3,
  atOnce: 16,
  waiting: undefined,
};
const rate = { callsPerSecond: 212, bytesPerSecond: 20_600_000 };
const moment: ProgressSnapshot = { progress, rate, remainingMs: 39_600 };
const waiting: ProgressSnapshot = {
  ...moment,
  progress: { ...progress, waiting: "the service cannot be reached (connection refused)" },
};
const style = openStyle({ write: () => true }, {});

test("shows progress, rate and remaining time", () => {
  expect(drawProgress(moment, { width: 99, style })).toEqual([
    `Importing ${"━".repeat(34)}╸${"─".repeat(25)}  58%`,
    "  11,600 of 20,000 calls · 212/s · 1.1 GB of 1.9 GB · 20.6 MB/s · 16 in parallel",
    "  about 40 s left · 3 failed · 120 already imported",
  ]);
});

test("drops the least important parts on a narrow terminal", () => {
  expect(drawProgress(moment, { width: 39, style })).toEqual([
    `Importing ${"━".repeat(13)}╸${"─".repeat(10)}  58%`,
    "  11,600 of 20,000 · 212/s · 20.6 MB/s",
    "  about 40 s left · 3 failed",
  ]);
});

test("shows the reason for waiting instead of the remaining time", () => {
  const lines = drawProgress(waiting, { width: 99, style });
  expect(lines[2]).toBe(
    "  Waiting: the service cannot be reached (connection refused) · 3 failed · 120 already imported",
  );
  expect(drawProgress(waiting, { width: 39, style })[2]).toBe("  Waiting: the service cann… · 3 failed");
});

test.each([20, 30, 39, 49, 79, 99, 199])("no line is longer than %d columns", (width) => {
  for (const shown of [moment, waiting])
    for (const line of drawProgress(shown, { width, style })) expect(textWidth(line)).toBeLessThanOrEqual(width);
});

test("counts rows while the total is unknown", () => {
  const reading: Progress = {
    ...progress,
    phase: "reading",
    total: 0,
    totalBytes: 0,
    done: 1,
    present: 0,
    failed: 0,
    atOnce: 0,
  };
  const lines = drawProgress({ progress: reading, rate: undefined, remainingMs: undefined }, { width: 80, style });
  expect(lines.map((line) => line.trimEnd())).toEqual(["Reading", "  1 row", ""]);
});

test("draws in ASCII without Unicode support", () => {
  const plain = openStyle({ write: () => true }, { LANG: "C" });
  const [top = ""] = drawProgress(moment, { width: 40, style: plain });
  expect(top).toMatch(/^[ -~]+$/);
  expect(textWidth(top)).toBe(40);
});

test("formats one line for a log", () => {
  expect(formatProgress(moment)).toBe(
    "importing: 11,600 of 20,000 (58%), 212/s, 1.1 GB of 1.9 GB, 20.6 MB/s, 16 in parallel, 120 already imported, 3 failed, about 40 s left",
  );
  expect(formatProgress(waiting)).toMatch(/3 failed, waiting: the service cannot be reached \(connection refused\)$/);
});

test("says that rows are found while they are verified: they may be of this run", () => {
  const verifying = { ...moment, progress: { ...moment.progress, phase: "reconciling" as const } };
  expect(formatProgress(verifying)).toMatch(/^verifying: .*120 found/);
});
