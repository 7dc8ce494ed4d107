import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { random, scale, seed } from "../support/run-scale.ts";
import { freePort } from "../support/stack/free-port.ts";
import type { ApiProcess } from "../support/stack/stack.ts";
import { say, until } from "../support/waiting.ts";
import { findReviewDifferences } from "./support/review-differences.ts";
import { startReviewLoad } from "./support/review-load.ts";
import { openReviewTests, type ReviewTests } from "./support/review-tests.ts";

const kills = scale(3, 8, 200);
const reviewers = 8;
const longestLifeMs = 900;
const chance = random();

let tests: ReviewTests;
let api: ApiProcess;
let port: number;
beforeAll(async () => {
  port = await freePort();
  tests = await openReviewTests(port);
  api = tests.api;
}, 120_000);
afterAll(() => tests?.close());

test(`${kills} kills of the API lose or double no answer, submission, release or decision`, {
  timeout: 1_800_000,
}, async () => {
  say(`seed ${seed}`);
  const load = await startReviewLoad(tests, { reviewers, chance });
  for (let kill = 0; kill < kills; kill++) {
    await sleep(chance() * longestLifeMs);
    await api.kill();
    api = await tests.stack.startApi({ port });
  }
  const { acknowledged, count } = load;
  await until("disputes are decided", 120_000, () => count((known) => known.isResolved) >= 3);
  await load.stop();
  say(
    `${kills} kills: ${acknowledged.size} reviews, ${count((known) => known.isSubmitted)} submitted, ` +
      `${count((known) => known.isReleased)} released, ${count((known) => known.isResolved)} disputes decided`,
  );
  expect(load.unexpected).toEqual([]);
  expect(count((known) => known.isSubmitted)).toBeGreaterThan(reviewers);
  expect(await findReviewDifferences(tests.stack, acknowledged)).toEqual([]);
  // Throws with the differences if there are some.
  const verified = await tests.stack.command<{ reviews: number; differences: number }>("scores", "verify", "--json");
  say(`sums of ${verified.reviews} released reviews: ${verified.differences} differences`);
  expect(verified).toMatchObject({ reviews: await countReleased(), differences: 0 });
  expect(verified.reviews).toBeGreaterThan(0);
});

async function countReleased(): Promise<number> {
  const { rows } = await tests.stack.adminDb.query(
    "select count(*)::int as count from review where state = 'released'",
  );
  return rows[0]?.count ?? 0;
}
