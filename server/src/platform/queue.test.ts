import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { prepareCall } from "../calls/prepare-call.ts";
import { openTestApp } from "../testing/test-app.ts";
import { enqueue } from "./queue.ts";
import { openQueue, relayJobs } from "./queue-engine.ts";

const { app, admin } = await openTestApp();

const aPayload = () => ({ workspaceId: randomUUID(), callId: randomUUID() });
const waiting = async () => (await admin.query("select 1 from pgboss.job where name = 'call.prepare'")).rows.length;
const outgoing = async () => (await admin.query("select 1 from outgoing_job")).rows.length;

test("a job exists if and only if its transaction committed", async () => {
  const failed = app.db.transaction().execute(async (tx) => {
    await enqueue(tx, prepareCall, aPayload());
    throw new Error("rolled back");
  });
  await expect(failed).rejects.toThrow("rolled back");
  expect(await outgoing()).toBe(0);
});

test("two relays at once bring every job to the queue exactly once", async () => {
  await app.db.transaction().execute(async (tx) => {
    for (let i = 0; i < 1200; i++) await enqueue(tx, prepareCall, aPayload());
  });
  const queues = [openQueue(app.config.database.url), openQueue(app.config.database.url)];
  for (const queue of queues) await queue.start();
  while ((await outgoing()) > 0) {
    await Promise.all(queues.map((queue) => relayJobs(app, queue)));
    await sleep(1);
  }
  for (const queue of queues) await queue.stop({ graceful: false });
  expect(await waiting()).toBe(1200);
});
