import type { ReplayEvents } from "@hearback/sdk";
import { expect, test } from "vitest";
import { replayAll } from "./replay-all.ts";

test("follows all pages", async () => {
  const asked: ReplayEvents[] = [];
  const answers = [
    { queued: 10_000, next: "evt_1" },
    { queued: 10_000, next: "evt_2" },
    { queued: 7, next: null },
  ];
  const progress: number[] = [];
  const from = new Date("2026-11-15T08:00:00Z");
  const queued = await replayAll(
    async (part) => {
      asked.push(part);
      return answers.shift() ?? { queued: 0, next: null };
    },
    { from, onProgress: (count) => progress.push(count) },
  );
  expect(queued).toBe(20_007);
  expect(progress).toEqual([10_000, 20_000, 20_007]);
  expect(asked).toEqual([
    { from, after: undefined },
    { from, after: "evt_1" },
    { from, after: "evt_2" },
  ]);
});
