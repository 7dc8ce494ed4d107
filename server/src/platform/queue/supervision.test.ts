import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { prepareCall } from "../../calls/prepare/prepare-call.ts";
import { emitEvent } from "../../events/emit-event.ts";
import { queueJobs } from "../../testing/run-scale.ts";
import { disturbedShare, openStealLog } from "../../testing/steal-log.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { inWorkspace } from "../database/in-workspace.ts";
import { queueStats } from "../monitor.ts";
import { migrateQueue, openQueue } from "./queue-engine.ts";
import { relayJobs } from "./relay-jobs.ts";
import { openRelayPosition } from "./relay-position.ts";
import { deleteFinishedJobs, failLostJobs } from "./supervision.ts";

const { app, admin, caller, api, key, ownerUrl } = await openTestApp();
const { workspaceId } = caller;
const full = queueJobs >= 200_000;
const boss = openQueue(app.config.database.url);
beforeAll(async () => {
  await boss.start();
});
afterAll(() => boss.stop({ graceful: false }));

const count = async (where: string) =>
  (await admin.query(`select count(*)::int as n from pgboss.job where name = 'call.prepare' and ${where}`)).rows[0].n;

test("retries a job whose worker stopped and does not touch a running one", async () => {
  await boss.insert("call.prepare", [{ data: {} }, { data: {} }, { data: {} }]);
  const [lost, alive, slow] = [
    await boss.fetch("call.prepare"),
    await boss.fetch("call.prepare"),
    await boss.fetch("call.prepare"),
  ].map((jobs) => jobs[0]?.id);
  await admin.query("update pgboss.job set heartbeat_on = now() - interval '11 seconds' where id = $1", [lost]);
  await admin.query("update pgboss.job set started_on = now() - interval '2 hours' where id = $1", [slow]);
  expect(await Promise.all([failLostJobs(app, boss), failLostJobs(app, boss)])).toContain(2);
  const { rows } = await admin.query("select id, state from pgboss.job where name = 'call.prepare'");
  expect(new Map(rows.map(({ id, state }) => [id, state]))).toEqual(
    new Map([
      [lost, "retry"],
      [alive, "active"],
      [slow, "retry"],
    ]),
  );
  await admin.query("delete from pgboss.job");
});

test("deletes finished jobs after minutes, failed jobs after a day, and no others", async () => {
  await boss.insert(
    "call.prepare",
    Array.from({ length: 5 }, () => ({ data: {} })),
  );
  const { rows } = await admin.query("select id from pgboss.job where name = 'call.prepare'");
  const settle = (n: number, state: string, ago: string) =>
    admin.query(`update pgboss.job set state = '${state}', completed_on = now() - interval '${ago}' where id = $1`, [
      rows[n].id,
    ]);
  await settle(0, "completed", "301 seconds");
  await settle(1, "completed", "290 seconds");
  await settle(2, "failed", "23 hours");
  await settle(3, "failed", "25 hours");
  expect(await deleteFinishedJobs(app.db)).toBe(2);
  const left = (await admin.query("select id from pgboss.job where name = 'call.prepare' order by id")).rows;
  expect(left.map(({ id }) => id)).toEqual([rows[1].id, rows[2].id, rows[4].id].toSorted());
  await admin.query("delete from pgboss.job");
});

test("moves a queue of an older release with its waiting jobs to its own table", async () => {
  const job = { ...prepareCall, name: "call.older", options: { retryLimit: 7 } };
  await migrateQueue(ownerUrl, [{ ...job, busy: false }]);
  const older = openQueue(app.config.database.url);
  await older.start();
  await older.insert(
    job.name,
    Array.from({ length: 30 }, (_, n) => ({ data: { n } })),
  );
  const [taken] = await older.fetch(job.name);
  const [done] = await older.fetch(job.name);
  await older.complete(job.name, done?.id ?? "");
  await older.stop({ graceful: false });
  const places = async () =>
    (
      await admin.query(
        "select tableoid::regclass::text as place, state, count(*)::int from pgboss.job where name = $1 group by 1, 2 order by 2",
        [job.name],
      )
    ).rows;
  expect(await places()).toContainEqual({ place: "pgboss.job_common", state: "created", count: 28 });
  await migrateQueue(ownerUrl, [job]);
  await migrateQueue(ownerUrl, [job]);
  const place = expect.stringMatching(/^pgboss\.j[0-9a-f]{56}$/);
  expect(await places()).toEqual([
    { place, state: "created", count: 28 },
    { place, state: "active", count: 1 },
  ]);
  const newer = openQueue(app.config.database.url);
  await newer.start();
  await newer.complete(job.name, taken?.id ?? "");
  expect(await newer.fetch(job.name, { batchSize: 50 })).toHaveLength(28);
  await newer.stop({ graceful: false });
});

/** Delays while another machine took the processor do not count. */
const steal = openStealLog();
afterAll(() => steal.close());
let disturbed = 0;

function counts(ms: number, limitMs: number): boolean {
  if (ms < limitMs || steal.shareSince(Date.now() - ms) <= disturbedShare) return true;
  disturbed++;
  return false;
}

/**
 * Announces ten events per second and reads them as a client. Stopping it returns the maximum age of an event when it
 * was read.
 */
function watchEvents() {
  let oldestMs = 0;
  let running = true;
  const writing = (async () => {
    while (running) {
      const data = { user_id: randomUUID(), role: "agent" } as const;
      await inWorkspace(app, workspaceId, (tx) => emitEvent(tx, { workspaceId, type: "user.created", data }));
      await sleep(100);
    }
  })();
  const reading = (async () => {
    const headers = { "x-api-key": await key("read") };
    let after = "latest";
    while (running) {
      const { events, next } = (await api.inject({ url: `/events?cursor=${after}`, headers })).json();
      const ages = events.map((event: { created_at: string }) => Date.now() - Date.parse(event.created_at));
      oldestMs = Math.max(oldestMs, ...ages.filter((ms: number) => counts(ms, maxEventAgeMs)));
      after = next;
      await sleep(50);
    }
  })();
  return async () => {
    running = false;
    await Promise.all([writing, reading]);
    return oldestMs;
  };
}

/** Duration of one supervision pass, without deletion. */
async function superviseMs(): Promise<number> {
  const began = performance.now();
  await failLostJobs(app, boss);
  await queueStats(app);
  return performance.now() - began;
}
const maxSuperviseMs = 50;
const maxEventAgeMs = 2_000;
const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

test(`${queueJobs} jobs: supervision stays cheap, and events are not delayed`, {
  timeout: 1_800_000,
}, async () => {
  await migrateQueue(ownerUrl, [prepareCall]);
  const quiet: number[] = [];
  for (let n = 0; n < 20; n++) quiet.push(await superviseMs());
  const stopWatching = watchEvents();
  const busy: number[] = [];
  const superviseBusy = async () => {
    const ms = await superviseMs();
    if (counts(ms, maxSuperviseMs)) busy.push(ms);
  };
  const position = openRelayPosition();
  let written = 0;
  let done = 0;
  const began = performance.now();
  let lookedAt = began;
  while (done < queueJobs) {
    const some = Math.min(5_000, queueJobs - written);
    if (some > 0) {
      await admin.query(
        `insert into outgoing_job (name, payload)
         select 'call.prepare', jsonb_build_object(
           'workspaceId', lpad((n % 500)::text, 32, '0')::uuid, 'callId', gen_random_uuid()
         ) from generate_series(1, $1) as n`,
        [some],
      );
      written += some;
    }
    while ((await relayJobs(app, boss, position)).length > 0);
    for (;;) {
      const jobs = await boss.fetch("call.prepare", { batchSize: 500 });
      if (jobs.length === 0) break;
      await boss.complete(
        "call.prepare",
        jobs.map(({ id }) => id),
      );
      done += jobs.length;
    }
    if (!full || performance.now() - lookedAt > 2_000) {
      await superviseBusy();
      lookedAt = performance.now();
    }
  }
  const passedMs = performance.now() - began;
  expect(await count("state = 'completed'")).toBe(queueJobs);
  for (let n = 0; n < 20; n++) await superviseBusy();
  const deleting = performance.now();
  let deleted = 0;
  for (let some = 1; some > 0; ) {
    some = await deleteFinishedJobs(app.db, { keptSeconds: 0 });
    deleted += some;
    if (some > 0) await superviseBusy();
  }
  const deletedMs = performance.now() - deleting;
  const oldestMs = await stopWatching();
  const perBatch = deletedMs / Math.ceil(queueJobs / 1_000);
  process.stdout.write(
    `${queueJobs} jobs in ${Math.round(passedMs)} ms, deleted in ${Math.round(deletedMs)} ms (${perBatch.toFixed(1)} a thousand); ` +
      `supervision ${median(quiet).toFixed(1)} ms quiet, ${median(busy).toFixed(1)} median and ${Math.max(...busy).toFixed(1)} most ` +
      `of ${busy.length}; oldest event ${oldestMs} ms; ${disturbed} delays while the processor was stolen\n`,
  );
  expect(deleted).toBeGreaterThanOrEqual(queueJobs);
  expect(await count("true")).toBe(0);
  expect(median(busy)).toBeLessThan(5 * median(quiet) + 5);
  if (full) {
    expect(Math.max(...busy)).toBeLessThan(maxSuperviseMs);
    expect(oldestMs).toBeLessThan(maxEventAgeMs);
  }
});
