import { expect, test } from "vitest";
import type { Progress } from "../import/progress.ts";
import { drawProgress, type Moment, tellProgress } from "./draw-progress.ts";
import { openStyle } from "./style.ts";
import { textWidth } from "./text-width.ts";

const progress: Progress = {
  ...{
    phase: "importing",
    total: 20_000,
    totalBytes: 1_940_000_000,
    done: 11_600,
    doneBytes: 1_125_200_000,
    sentBytes: 1_125_200_000,
  },
  ...{ imported: 11_477, present: 120, failed: 3, atOnce: 16, waiting: undefined },
};
const pace = { callsPerSecond: 212, bytesPerSecond: 20_600_000 };
const moment: Moment = { progress, pace, remainingMs: 39_600 };
const waiting: Moment = {
  ...moment,
  progress: { ...progress, waiting: "the service cannot be reached (connection refused)" },
};
const style = openStyle({ write: () => true }, {});

test("shows how far, how fast and how much longer", () => {
  expect(drawProgress(moment, { width: 99, style })).toEqual([
    `Importing ${"━".repeat(34)}╸${"─".repeat(25)}  58 %`,
    "  11,600 of 20,000 calls · 212/s · 1.1 GB of 1.9 GB · 20.6 MB/s · 16 at once",
    "  about 40 s left · 3 failed · 120 there already",
  ]);
});

test("keeps what matters most on a narrow terminal", () => {
  expect(drawProgress(moment, { width: 39, style })).toEqual([
    `Importing ${"━".repeat(13)}${"─".repeat(10)}  58 %`,
    "  11,600 of 20,000 · 212/s · 20.6 MB/s",
    "  about 40 s left · 3 failed",
  ]);
});

test("says why it waits instead of how much longer", () => {
  const lines = drawProgress(waiting, { width: 99, style });
  expect(lines[2]).toBe("  Waiting: the service cannot be reached (connection refused) · 3 failed · 120 there already");
  expect(drawProgress(waiting, { width: 39, style })[2]).toBe("  Waiting: the service cann… · 3 failed");
});

test.each([20, 30, 39, 49, 79, 99, 199])("no line is longer than %d columns", (width) => {
  for (const one of [moment, waiting])
    for (const line of drawProgress(one, { width, style })) expect(textWidth(line)).toBeLessThanOrEqual(width);
});

test("counts rows while it does not know how many there are", () => {
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
  const lines = drawProgress({ progress: reading, pace: undefined, remainingMs: undefined }, { width: 80, style });
  expect(lines.map((line) => line.trimEnd())).toEqual(["Reading", "  1 row", ""]);
});

test("draws in ASCII where nothing else can be shown", () => {
  const plain = openStyle({ write: () => true }, { LANG: "C" });
  const [top = ""] = drawProgress(moment, { width: 40, style: plain });
  expect(top).toMatch(/^[ -~]+$/);
  expect(textWidth(top)).toBe(40);
});

test("is one line in a log", () => {
  expect(tellProgress(moment)).toBe(
    "importing: 11,600 of 20,000 (58 %), 212/s, 1.1 GB of 1.9 GB, 20.6 MB/s, 16 at once, 120 there already, 3 failed, about 40 s left",
  );
  expect(tellProgress(waiting)).toMatch(/3 failed, waiting: the service cannot be reached \(connection refused\)$/);
});
