import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findLeftovers, noLeftovers, sweepAll } from "../support/data/damage-report.ts";
import { type Backfill, backfillOptions, callLine, writeBackfill } from "../support/recordings/backfill.ts";
import { random, scale, seed } from "../support/run-scale.ts";
import { type CommandRun, runCommand, startCommand } from "../support/stack/command.ts";
import { crashPostgres, killGateway, startGateway, startPostgres } from "../support/stack/engines.ts";
import { freePort } from "../support/stack/free-port.ts";
import { type ApiProcess, engine, openStack, type Stack, unlimited } from "../support/stack/stack.ts";
import { openStore, type Store } from "../support/stack/store.ts";
import { say, until } from "../support/waiting.ts";

const calls = scale(300, 1_000, 20_000);
const agents = scale(20, 60, 300);
const [kill, crash] = scale([2, 1], [6, 2], [20, 3]);
const kills = { command: kill, api: kill, postgres: crash, gateway: engine === "s3" ? crash : 0 };

const chance = random();
let dir: string;
let backfill: Backfill;
let stack: Stack;
let store: Store;
let api: ApiProcess;
let port: number;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "hearback-importer-"));
  backfill = await writeBackfill(dir, { calls, agents });
  stack = await openStack(undefined, unlimited);
  store = openStore(stack);
  port = await freePort();
  api = await stack.startApi({ port });
}, 300_000);
afterAll(async () => {
  await startPostgres();
  await startGateway();
  await stack?.stop();
  await store?.close();
  await rm(dir, { recursive: true, force: true });
});

const connection = () => ({ baseUrl: `http://127.0.0.1:${port}`, apiKey: stack.apiKey });
const startImport = () =>
  startCommand(
    connection(),
    ...["import", ...backfillOptions(backfill, stack.campaignId), "--create-agents", "--yes", "--json"],
  );

/** Number of calls; undefined while PostgreSQL is down. */
async function countCalls(): Promise<number | undefined> {
  const answer = await stack.adminDb
    .query<{ count: number }>("select count(*)::int as count from call")
    .catch(() => undefined);
  return answer?.rows[0]?.count;
}

/** The stored calls, one line each, sorted. */
async function storedLines(): Promise<string[]> {
  const { rows } = await stack.adminDb.query(
    `select encode(c.sha256, 'hex') as sha256, u.email, extract(epoch from c.happened_at)::int as seconds,
            (select value from call_metadata m where m.call_id = c.id and m.key = 'client_phone') as phone
       from call c join app_user u on u.id = c.agent_id`,
  );
  return rows.map(({ sha256, email, seconds, phone }) => callLine(sha256, email, seconds, phone)).sort();
}

/** All kills in random order. */
function shuffleKills(): (keyof typeof kills)[] {
  const schedule = Object.entries(kills).flatMap(([kind, times]) =>
    Array<keyof typeof kills>(times).fill(kind as "api"),
  );
  return schedule
    .map((victim) => ({ victim, place: chance() }))
    .sort((a, b) => a.place - b.place)
    .map(({ victim }) => victim);
}

test(`an import of ${calls} calls survives kills of every component and verifies the result`, {
  timeout: 5_400_000,
}, async () => {
  say(`seed ${seed}`);
  const schedule = shuffleKills();
  let run: CommandRun = startImport();
  let runs = 1;
  const killComponent = {
    async command() {
      run.child.kill("SIGKILL");
      await run.ended;
      run = startImport();
      runs++;
    },
    async api() {
      await api.kill();
      await sleep(chance() * 1_000);
      api = await stack.startApi({ port });
    },
    async postgres() {
      await crashPostgres();
      await sleep(chance() * 1_000);
      await startPostgres();
    },
    async gateway() {
      await killGateway();
      await sleep(chance() * 1_000);
      await startGateway();
    },
  };

  // Spread the kills over the progress of the import, so that all happen while it is running.
  for (const [at, victim] of schedule.entries()) {
    const due = Math.floor((calls * (at + chance())) / (schedule.length + 1));
    await until(`${due} calls are stored, for kill ${at} (${victim})`, 600_000, async () => {
      if (run.child.exitCode !== null) throw new Error(`the import ended too early:\n${run.stdout()}\n${run.stderr()}`);
      return ((await countCalls()) ?? 0) >= due;
    });
    await killComponent[victim]();
  }
  expect(await run.ended, `${run.stdout()}\n${run.stderr()}`).toBe(0);
  say(`${runs} runs, ${schedule.length} kills; the last run printed ${run.stdout().trim().split("\n").at(-1)}`);

  const summary = JSON.parse(run.stdout().trim().split("\n").at(-1) ?? "");
  expect(summary).toMatchObject({
    rows: calls,
    failed: 0,
    reconciliation: { rows: calls, present: calls, missing: 0 },
  });
  expect(await storedLines()).toEqual(backfill.expected);
  const reconciliation = await runCommand(
    connection(),
    "reconcile",
    ...backfillOptions(backfill, stack.campaignId),
    "--json",
  );
  expect(reconciliation.code, reconciliation.stderr).toBe(0);
  expect(JSON.parse(reconciliation.stdout)).toMatchObject({ rows: calls, present: calls, missing: 0 });
  await sweepAll(stack);
  expect(await findLeftovers(stack, store)).toEqual(noLeftovers);
});

test("another run uploads nothing", { timeout: 600_000 }, async () => {
  const again = startImport();
  expect(await again.ended, again.stderr()).toBe(0);
  expect(JSON.parse(again.stdout().trim().split("\n").at(-1) ?? "")).toMatchObject({
    rows: calls,
    imported: 0,
    present: calls,
  });
});
