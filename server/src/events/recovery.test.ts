import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, inject, test, vi } from "vitest";
import {
  addEvents,
  expectAllRead,
  openReader,
  openService,
  prepareReading,
  storedEvents,
} from "../testing/event-readers.ts";
import { eventRows } from "../testing/run-scale.ts";
import { type Cluster, startArchivingCluster, takeBackup } from "../testing/servers/backups.ts";
import { startStandby } from "../testing/servers/standby.ts";
import { beginEventEpoch } from "./begin-event-epoch.ts";

/*
 * Uses its own cluster: backups cover the whole cluster, and a long transaction delays the events of all databases in it.
 */

const cleanUp = new AsyncDisposableStack();
afterAll(() => cleanUp.disposeAsync());

const { dir: parent } = inject("engines");
const dir = join(parent, `r-${randomUUID().slice(0, 8)}`);
await mkdir(dir, { recursive: true });
cleanUp.defer(() => rm(dir, { recursive: true, force: true }));

const openOn = async (cluster: Cluster) => {
  cleanUp.defer(() => cluster.stop());
  return open(cluster.serviceUrl, cluster.adminUrl);
};

async function open(serviceUrl: string, adminUrl: string) {
  const service = await openService({ serviceUrl, adminUrl, dir });
  cleanUp.defer(() => service.close());
  return service;
}

const cluster = await startArchivingCluster(dir);
const primary = await openOn(cluster);
await primary.migrate(cluster.ownerUrl);

test("after a recovery or a restored snapshot, readers get every event once, in order, and ids never repeat", {
  timeout: 240_000,
}, async () => {
  const reader = openReader(await prepareReading(primary.app));
  const { workspaceId } = reader;

  await expectAllRead(primary, reader, await addEvents(primary, workspaceId, 40));
  const backup = await takeBackup(cluster);
  await expectAllRead(primary, reader, await addEvents(primary, workspaceId, 40));
  await primary.admin.query("select pg_create_restore_point('before_the_accident')");
  await expectAllRead(primary, reader, await addEvents(primary, workspaceId, 60));
  await backup.archiveWal();

  const recovered = await openOn(await backup.recover("before_the_accident"));
  expect(await storedEvents(recovered, workspaceId)).toHaveLength(80);
  await expectAllRead(recovered, reader, await addEvents(recovered, workspaceId, 340));

  // Epochs are numbered by the second: two restores of one backup must not start in the same second.
  await sleep(1_000);
  const again = await openOn(await backup.recover("before_the_accident"));
  expect(await storedEvents(again, workspaceId)).toHaveLength(80);
  expect(await reader.read(again), "the cursor is accepted before the first event").toEqual([]);
  await expectAllRead(again, reader, await addEvents(again, workspaceId, 50));

  await sleep(1_000);
  const snapshot = await openOn(await backup.startSnapshot());
  expect(await storedEvents(snapshot, workspaceId)).toHaveLength(40);
  await expectAllRead(snapshot, reader, await addEvents(snapshot, workspaceId, 50));
});

test("after a failover, readers get every event once, in order, even if the standby lagged behind", {
  timeout: 240_000,
}, async () => {
  const reader = openReader(await prepareReading(primary.app));
  const { workspaceId } = reader;
  const standby = await startStandby({ primaryUrl: cluster.adminUrl, dir });
  cleanUp.defer(() => standby.stop());
  const standbyUrl = standby.url(cluster.adminUrl);
  const writtenBefore = await addEvents(primary, workspaceId, 40);
  await expectAllRead(primary, reader, writtenBefore);
  const promoted = await open(standby.url(cluster.serviceUrl), standbyUrl);
  await vi.waitFor(
    async () => expect(await storedEvents(promoted, workspaceId)).toEqual(await storedEvents(primary, workspaceId)),
    30_000,
  );

  // Committed on the primary and read, but never replicated.
  await promoted.admin.query("alter system set primary_conninfo = ''");
  await promoted.admin.query("select pg_reload_conf()");
  await vi.waitFor(async () => {
    const { rows } = await promoted.admin.query("select from pg_stat_wal_receiver");
    expect(rows).toEqual([]);
  }, 30_000);
  await expectAllRead(primary, reader, await addEvents(primary, workspaceId, 60));
  await standby.promote();

  await expectAllRead(promoted, reader, await addEvents(promoted, workspaceId, 340));
});

test("starting a new epoch waits for transactions that write to the current one", async () => {
  const reader = openReader(await prepareReading(primary.app));
  const { workspaceId } = reader;
  await expectAllRead(primary, reader, await addEvents(primary, workspaceId, 3));
  const epochs = async () =>
    (await primary.admin.query("select distinct epoch from event where workspace_id = $1", [workspaceId])).rows;
  const [{ epoch: before }] = await epochs();
  const slow = await primary.admin.connect();
  await slow.query("begin");
  await slow.query("insert into event (workspace_id, type, data) values ($1, 'user.created', $2)", [
    workspaceId,
    { user_id: "slow" },
  ]);
  const ended = vi.fn();
  const begun = beginEventEpoch(primary.app).finally(ended);
  await sleep(300);
  expect(ended).not.toHaveBeenCalled();
  await slow.query("commit");
  slow.release();
  expect(await begun).toBeGreaterThan(before);
  await expectAllRead(primary, reader, ["slow", ...(await addEvents(primary, workspaceId, 3))]);
  expect(await epochs()).toHaveLength(2);
});

/** Query plan of GET /events and the worker, with the service's role and row-level security. */
async function explain(workspaceId: string, direction: "forward" | "backward"): Promise<string> {
  const client = await primary.admin.connect();
  const options = "(analyze, costs off, timing off)";
  await client.query("begin");
  await client.query("set local role hearback_service");
  await client.query("select set_config('hearback.workspace', $1, true)", [workspaceId]);
  const settledEvents = `workspace_id = '${workspaceId}' and (epoch < (select current_event_epoch())
    or xid < (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint))`;
  const { rows } = await client.query<{ "QUERY PLAN": string }>(
    direction === "forward"
      ? `explain ${options} with start as materialized (select 1::int as epoch, 2::bigint as xid, 3::bigint as seq)
         select epoch, xid, seq, type, data, created_at from event where ${settledEvents}
         and (epoch, xid, seq) > ((select epoch from start), (select xid from start), (select seq from start))
         order by epoch, xid, seq limit 100`
      : `explain ${options} select epoch, xid, seq from event where ${settledEvents}
         order by epoch desc, xid desc, seq desc limit 1`,
  );
  await client.query("rollback");
  client.release();
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

test("reading a page of events uses the primary keys of the partitions", async () => {
  const { workspaceId } = await prepareReading(primary.app);
  // Spread evenly over the partitions of three months.
  await primary.admin.query(
    `insert into event (workspace_id, type, data, created_at)
     select $1, 'user.created', '{}', now() + n % 3 * interval '1 month' from generate_series(1, $2::int) as n`,
    [workspaceId, eventRows],
  );
  await primary.admin.query("analyze event");
  const plan = await explain(workspaceId, "forward");
  expect(plan).toMatch(/Merge Append/);
  expect(plan.match(/Index Scan using event_\w+_pkey on event_\w+/g)).toHaveLength(4);
  expect(plan).toMatch(/Index Cond: .*ROW\(epoch, xid, seq\) > ROW\(/);
  expect(plan).not.toMatch(/-> +Sort|Seq Scan on event/);
  const rowsRead = [...plan.matchAll(/Index Scan using event_\w+ .*rows=(\d+)/g)].reduce(
    (sum, [, n]) => sum + Number(n),
    0,
  );
  expect(rowsRead, "it stops after the page").toBeLessThan(110);
  const newest = await explain(workspaceId, "backward");
  expect(newest).toMatch(/Index (Only )?Scan Backward using event_\w+_pkey/);
  expect(newest).not.toMatch(/-> +Sort|Seq Scan on event/);
});
