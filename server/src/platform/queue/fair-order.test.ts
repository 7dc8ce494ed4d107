import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { prepareCall } from "../../calls/prepare/prepare-call.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { enqueue } from "./queue.ts";
import { openQueue } from "./queue-engine.ts";
import { relayJobs } from "./relay-jobs.ts";

const { app, admin } = await openTestApp();
const boss = openQueue(app.config.database.url);
beforeAll(async () => {
  await boss.start();
});
afterAll(() => boss.stop({ graceful: false }));

async function add(workspaceId: string, count: number): Promise<void> {
  await app.db.transaction().execute(async (tx) => {
    for (let n = 0; n < count; n++) await enqueue(tx, prepareCall, { workspaceId, callId: randomUUID() });
  });
  while ((await relayJobs(app, boss)).length > 0);
}

/** Takes jobs and returns their workspaces, in order. */
async function take(count: number): Promise<string[]> {
  const owners: string[] = [];
  for (let n = 0; n < count; n++) {
    const [job] = await boss.fetch<{ workspaceId: string }>(prepareCall.name);
    if (!job) break;
    owners.push(job.data.workspaceId);
    await boss.complete(prepareCall.name, job.id);
  }
  return owners;
}

const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()];
const share = (owners: readonly string[], owner: string) => owners.filter((candidate) => candidate === owner).length;

test("a call of another workspace does not wait for a backlog of 300", async () => {
  await add(a, 300);
  await take(20);
  await add(b, 1);
  expect((await take(3)).indexOf(b)).toBeGreaterThan(-1);
});

test("two backlogs are served in turn, and a later third one joins them", async () => {
  await add(b, 100);
  const both = await take(60);
  expect(share(both, b)).toBeGreaterThanOrEqual(29);
  await add(c, 100);
  const three = await take(60);
  for (const owner of [a, b, c]) expect(share(three, owner)).toBeGreaterThanOrEqual(18);
});

test("turns are reset when the queue is empty", async () => {
  const rest = await take(1_000);
  expect(share(rest, a) + share(rest, b) + share(rest, c)).toBe(rest.length);
  await add(a, 3);
  await add(b, 3);
  expect(await take(6)).toEqual([a, b, a, b, a, b]);
  const { rows } = await admin.query("select 1 from job_turn");
  expect(rows.length).toBeLessThanOrEqual(2);
});

test("jobs of a single workspace are served in FIFO order", async () => {
  const payloads = Array.from({ length: 30 }, () => ({ workspaceId: a, callId: randomUUID() }));
  await app.db.transaction().execute(async (tx) => {
    for (const payload of payloads) await enqueue(tx, prepareCall, payload);
  });
  await relayJobs(app, boss);
  const taken: unknown[] = [];
  for (const _ of payloads) {
    const [job] = await boss.fetch(prepareCall.name);
    taken.push(job?.data);
    if (job) await boss.complete(prepareCall.name, job.id);
  }
  expect(taken).toEqual(payloads);
});
