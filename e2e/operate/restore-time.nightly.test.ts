// Nightly, and for changes in: docs/operations/backup-and-upgrade.md
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addCalls } from "../support/data/many-calls.ts";
import { type EventClient, eventClient } from "../support/http/event-client.ts";
import { importCall } from "../support/http/service.ts";
import { MB, makeRecording, serviceAt } from "../support/recordings/recordings.ts";
import { isRelease } from "../support/run-scale.ts";
import { thisRelease } from "../support/stack/release.ts";
import { engine, openStack, type Stack, unlimited } from "../support/stack/stack.ts";
import { templateOf } from "../support/stack/template.ts";
import { inParallel, say } from "../support/waiting.ts";
import { type BackedUpCluster, startBackedUpCluster } from "./support/pgbackrest.ts";
import { readRestoreSteps } from "./support/restore-steps.ts";

/* The time that the steps of docs/operations/backup-and-upgrade.md take with a million calls. */

const calls = 1_000_000;
/** Calls that are changed between the backup and the point in time, and calls that are erased after it. */
const changed = 100_000;
const erased = 50;
const verified = 200;

describe.runIf(isRelease)("with a million calls", () => {
  let backedUp: BackedUpCluster;
  let stack: Stack;
  let client: EventClient;
  const table: [step: string, seconds: number][] = [];

  async function timed<T>(step: string, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const result = await work();
    table.push([step, (performance.now() - began) / 1000]);
    say(`${table.at(-1)?.[1].toFixed(1)} s  ${step}`);
    return result;
  }

  beforeAll(async () => {
    backedUp = await startBackedUpCluster();
    const { cluster, shell, commands } = backedUp;
    await shell(commands[0] ?? "");
    // The WAL of the load is not needed: the full backup comes after it.
    await cluster.query("alter system set archive_command = 'true'");
    await cluster.query("select pg_reload_conf()");
    stack = await openStack(engine, unlimited, { postgres: cluster.env });
    await cluster.query(`drop database ${templateOf(thisRelease)}`);
    await timed("load of the calls", () => addCalls(stack, calls, { months: 12 }));
    await timed("load of the metadata index", () => indexMetadata(stack));
    await cluster.query("alter system reset archive_command");
    await cluster.query("select pg_reload_conf()");
  }, 3_600_000);
  afterAll(async () => {
    await stack?.stop();
    await backedUp?.stop();
  });

  test("the database is restored to a point in time", { timeout: 3_600_000 }, async () => {
    const { cluster, shell, commands, archiveNow } = backedUp;
    await timed("full backup", async () => {
      for (const command of commands.slice(1)) await shell(command);
    });
    const { rows: sizes } = await stack.adminDb.query<{ size: string }>(
      "select pg_size_pretty(pg_database_size(current_database())) as size",
    );
    const { rows: chosen } = await stack.adminDb.query<{ id: string }>("select id from call order by id limit $1", [
      changed,
    ]);
    const ids = chosen.map(({ id }) => id);
    await stack.adminDb.query("update call set duration_ms = duration_ms + 1 where id = any ($1)", [ids]);
    const [row] = await cluster.query<{ now: string }>("select clock_timestamp()::text as now");
    const api = await stack.startApi();
    client = await eventClient(stack, api.baseUrl);
    for (const id of ids.slice(0, erased)) expect((await client.ask("DELETE", `/calls/${id}`)).status).toBe(204);
    await archiveNow();
    await api.kill();
    await cluster.crash();
    await rm(`${cluster.data}/base`, { recursive: true });

    const steps = await readRestoreSteps(backedUp, stack, {
      stop: async () => {},
      start: async (unit) => {
        if (unit === "postgresql") await cluster.start();
        if (unit === "hearback-api") await stack.startApi();
        if (unit === "hearback-worker") await stack.startWorker();
      },
    });
    const began = performance.now();
    for (const step of [1, 2, 3, 5, 6]) {
      for (const { line, seconds } of await steps.run(step, { "2026-11-18 03:15:00+00": row?.now ?? "" }))
        table.push([line.slice(0, 90), seconds]);
    }
    table.push(["until the service is ready", (performance.now() - began) / 1000]);
    const { rows } = await stack.adminDb.query<{ whole: number; changed: number }>(
      "select count(*)::int as whole, count(*) filter (where duration_ms > 300000)::int as changed from call",
    );
    expect(rows).toEqual([{ whole: calls - erased, changed: changed - erased }]);
    say(`${calls.toLocaleString("en")} calls, database ${sizes[0]?.size}`);
    for (const [step, seconds] of table) say(`${seconds.toFixed(1).padStart(8)} s  ${step}`);
  });
});

test.runIf(isRelease)("recordings are verified at a rate that is limited by reading them", async () => {
  const stack = await openStack(engine, unlimited);
  try {
    const service = serviceAt(stack, (await stack.startApi()).port);
    await inParallel(verified, 4, async () => {
      const { bytes, timestamp } = makeRecording(MB);
      await importCall(service, { file: bytes, conversation_timestamp: timestamp });
    });
    const began = performance.now();
    expect(await stack.command("verify", "--json")).toMatchObject({ checked: verified, damaged: [] });
    const seconds = (performance.now() - began) / 1000;
    say(`verify: ${(verified / seconds).toFixed(0)} recordings of 1 MB per second on ${engine}`);
  } finally {
    await stack.stop();
  }
});

/** Adds the rows that searches by metadata use. */
async function indexMetadata({ adminDb }: Stack): Promise<void> {
  const { rows: months } = await adminDb.query<{ name: string }>(
    "select tablename as name from pg_tables where tablename ~ '^call_[0-9]{4}_[0-9]{2}$' order by 1",
  );
  for (const { name } of months) {
    await adminDb.query(
      `insert into ${name.replace("call_", "call_metadata_")} (workspace_id, key, value, call_id)
       select workspace_id, entry.key, entry.value, id
       from ${name}, jsonb_to_recordset(metadata) as entry (key text, value text) where entry.key <> 'note'
       order by workspace_id, entry.key, entry.value, id`,
    );
  }
}
