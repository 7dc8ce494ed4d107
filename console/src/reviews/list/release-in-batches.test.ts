import { expect, test } from "vitest";
import { releaseInBatches } from "./release-in-batches.ts";

const ids = Array.from({ length: 60 }, (_, index) => String(index));

test("releases in batches, reports progress and counts skipped reviews", async () => {
  const sent: number[] = [];
  const progress: number[] = [];
  const release = async (part: readonly string[]) => {
    sent.push(part.length);
    return { released: part.slice(1), skipped: part.slice(0, 1) };
  };
  expect(await releaseInBatches(release, ids, (done) => progress.push(done))).toEqual({ released: 57, skipped: 3 });
  expect([sent, progress]).toEqual([
    [25, 25, 10],
    [25, 50, 60],
  ]);
});

test("stops at the first error", async () => {
  let requests = 0;
  const fail = () => Promise.reject(new Error(`failed ${++requests}`));
  await expect(releaseInBatches(fail, ids, () => {})).rejects.toThrow("failed 1");
});
