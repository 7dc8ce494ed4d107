import { expect, test } from "vitest";
import { historyEntries } from "./history-entries.ts";

const revision = (number: number, at: string) => ({
  number,
  at,
  author: { type: "user" as const, id: "u" },
  cause: number === 1 ? ("submitted" as const) : ("corrected" as const),
  reason: null,
  score: 9000,
  outcome: "passed" as const,
  changed: [],
});

test("revisions, release, acknowledgement and voiding are in the order of time, newest first", () => {
  const [submitted, corrected] = ["2026-11-01T10:00:00Z", "2026-11-03T10:00:00Z"];
  const entries = historyEntries({
    revisions: [revision(2, corrected), revision(1, submitted)],
    released_at: "2026-11-01T09:59:59Z",
    acknowledged_at: "2026-11-02T10:00:00Z",
    voided_at: "2026-11-04T10:00:00Z",
  });
  expect(entries.map((entry) => (entry.kind === "revision" ? entry.revision.number : entry.kind))).toEqual([
    "voided",
    2,
    "acknowledged",
    "released",
    1,
  ]);
});

test("a submitted review has its revision only", () => {
  const revisions = [revision(1, "2026-11-01T10:00:00Z")];
  expect(historyEntries({ revisions, released_at: null, acknowledged_at: null, voided_at: null })).toHaveLength(1);
});
