import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { callImporter } from "../../testing/import-calls.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { requeue } from "./requeue-stranded-calls.ts";

const service = await openTestApp();
const { app, admin, caller } = service;
const importCall = await callImporter(service);
const old = (ids: readonly string[]) =>
  admin.query("update call set created_at = now() - interval '2 hours' where id = any ($1::uuid[])", [ids]);

async function stranded(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await importCall()).id);
  await admin.query("delete from outgoing_job");
  await old(ids);
  return ids.sort();
}

const queued = async () =>
  (await admin.query("select payload->>'callId' as id from outgoing_job order by 1")).rows.map(({ id }) => id);

/** Inserts a job in the given state. */
async function addJob(callId: string, state: string): Promise<void> {
  const data = JSON.stringify({ workspaceId: caller.workspaceId, callId });
  await admin.query("insert into pgboss.job (id, name, data, state) values ($1, 'call.prepare', $2, $3)", [
    randomUUID(),
    data,
    state,
  ]);
}

test("requeues calls without a pending job even while the queue is busy, and no others", async () => {
  const [lost = "", waiting = "", active = "", retrying = "", completed = ""] = await stranded(5);
  await addJob(waiting, "created");
  await addJob(active, "active");
  await addJob(retrying, "retry");
  await addJob(completed, "completed");
  // Simulates a queue that is never empty.
  await admin.query("update pgboss.queue set queued_count = 100, active_count = 4 where name = 'call.prepare'");
  const fresh = (await importCall()).id;
  await admin.query("delete from outgoing_job");
  const relayed = (await importCall()).id;
  await old([relayed]);
  expect(await requeue(app)).toBe(2);
  expect(await queued()).toEqual([lost, completed, relayed].sort());
  // All of them have a job now.
  expect(await requeue(app)).toBe(0);
  expect(await queued()).not.toContain(fresh);
  await admin.query("update call set status = 'ready'");
  await admin.query("delete from outgoing_job");
});

test("a run checks a bounded number of calls, and the next run resumes where it stopped", async () => {
  const ids = await stranded(7);
  const limits = { batchSize: 2, batches: 1 };
  const runs: number[] = [];
  for (let run = 0; run < 4; run++) runs.push(await requeue(app, limits));
  expect(runs).toEqual([2, 2, 2, 1]);
  expect(await queued()).toEqual(ids);
  expect(await requeue(app)).toBe(0);
});
