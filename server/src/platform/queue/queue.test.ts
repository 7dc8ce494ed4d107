import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { prepareCall } from "../../calls/prepare/prepare-call.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { enqueue } from "./queue.ts";
import { migrateQueue, openQueue } from "./queue-engine.ts";
import { relayJobs } from "./relay-jobs.ts";
import { openRelayPosition } from "./relay-position.ts";
import { requeueSetAside } from "./set-aside.ts";

const { app, admin, log, ownerUrl } = await openTestApp();

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

test("two concurrent relays move every job to the queue exactly once", async () => {
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

/** Inserts raw jobs, without type checking, and relays them until none is left. */
async function relay(...rows: [name: string, payload: string][]): Promise<void> {
  for (const [name, payload] of rows) {
    await admin.query("insert into outgoing_job (name, payload) values ($1, $2)", [name, payload]);
  }
  const queue = openQueue(app.config.database.url);
  await queue.start();
  for (let rounds = 0; rounds < 10 && (await outgoing()) > 0; rounds++) await relayJobs(app, queue);
  await queue.stop({ graceful: false });
}
const good = (): [string, string] => ["call.prepare", JSON.stringify(aPayload())];
const setAside = async () =>
  (await admin.query("select name, reason, detail from set_aside_job order by id")).rows.map(Object.values);

test("sets aside a job of an unknown queue and relays all others", async () => {
  const before = await waiting();
  await relay(["call.score", "{}"], good(), ["call.score", "{}"], good());
  expect([await outgoing(), await waiting()]).toEqual([0, before + 2]);
  expect(await setAside()).toEqual([
    ["call.score", "queue_unknown", ""],
    ["call.score", "queue_unknown", ""],
  ]);
  expect(await app.metrics.registry.metrics()).toContain('hearback_jobs_set_aside_total{reason="queue_unknown"} 2');
  expect(log()).toContain("jobs set aside");
});

test("requeues set-aside jobs when their queue exists", async () => {
  expect(await requeueSetAside(app)).toBe(0);
  const newer = { ...prepareCall, name: "call.score" };
  await migrateQueue(ownerUrl, [newer]);
  expect(await requeueSetAside(app)).toBe(2);
  await relay();
  expect(await setAside()).toEqual([]);
  expect((await admin.query("select 1 from pgboss.job where name = 'call.score'")).rows).toHaveLength(2);
});

test("a job that the queue refuses neither blocks other jobs nor changes their order", async () => {
  await admin.query("delete from pgboss.job");
  const jobs = Array.from({ length: 20 }, good);
  jobs.splice(13, 0, ["call.prepare", '{"workspaceId":"no uuid"}'], ["call.prepare", "null"]);
  await relay(...jobs);
  expect([await outgoing(), await waiting()]).toEqual([0, 20]);
  expect(await setAside()).toEqual([
    ["call.prepare", "refused", "22P02"],
    ["call.prepare", "refused", "TypeError"],
  ]);
  expect(await requeueSetAside(app)).toBe(0);
  expect(await requeueSetAside(app, { refused: true })).toBe(2);
  await relay();
  expect(await setAside()).toHaveLength(2);
});

test("a job that commits after later ones were relayed is relayed immediately", async () => {
  const queue = openQueue(app.config.database.url);
  await queue.start();
  const position = openRelayPosition();
  const slow = await admin.connect();
  for (let round = 0; round < 5; round++) {
    await relayJobs(app, queue, position);
    await slow.query("begin");
    await slow.query("insert into outgoing_job (name, payload) values ('call.prepare', $1)", [good()[1]]);
    for (let n = 0; n < 3; n++) {
      await admin.query("insert into outgoing_job (name, payload) values ('call.prepare', $1)", [good()[1]]);
      await relayJobs(app, queue, position);
    }
    await slow.query("commit");
    await relayJobs(app, queue, position);
    expect(await outgoing()).toBe(0);
  }
  slow.release();
  await queue.stop({ graceful: false });
});

test("the relay does not scan relayed jobs again during a long-running snapshot", async () => {
  const queue = openQueue(app.config.database.url);
  await queue.start();
  const snapshot = await admin.connect();
  await snapshot.query("begin isolation level repeatable read");
  await snapshot.query("select from outgoing_job");
  const position = openRelayPosition();
  await admin.query(
    "insert into outgoing_job (name, payload) select 'call.prepare', '{}' from generate_series(1, 100000)",
  );
  await admin.query("delete from outgoing_job");
  await admin.query("insert into outgoing_job (name, payload) values ('call.prepare', $1)", [good()[1]]);
  while ((await outgoing()) > 0) await relayJobs(app, queue, position);
  await relayJobs(app, queue, position);
  const probe = async (after: () => ReturnType<typeof openRelayPosition>) => {
    const times: number[] = [];
    for (let n = 0; n < 21; n++) {
      const began = performance.now();
      await relayJobs(app, queue, after());
      times.push(performance.now() - began);
    }
    // The fastest: others use the machine, too.
    return Math.min(...times);
  };
  // A new position each time scans from the start.
  const fromStart = await probe(openRelayPosition);
  const fromPosition = await probe(() => position);
  await snapshot.query("rollback");
  snapshot.release();
  await queue.stop({ graceful: false });
  expect(fromPosition).toBeLessThan(fromStart / 3);
});
