import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findLeftovers, noLeftovers, sweepAll } from "../support/aftermath.ts";
import { type Backfill, backfillOptions, callLine, writeBackfill } from "../support/backfill.ts";
import { type CommandRun, runCommand, startCommand } from "../support/command.ts";
import { crashPostgres, killGateway, startGateway, startPostgres } from "../support/engines.ts";
import { full, random, seed } from "../support/sizes.ts";
import { type ApiProcess, engine, freePort, openStack, type Stack, unlimited } from "../support/stack.ts";
import { openStore, type Store } from "../support/store.ts";
import { say, until } from "../support/waiting.ts";

const calls = full ? 20_000 : 1_000;
const agents = full ? 300 : 60;
const [kill, crash] = full ? [20, 3] : [8, 2];
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

/** How many calls there are, also while PostgreSQL is away. */
async function countCalls(): Promise<number | undefined> {
  const answer = await stack.adminDb
    .query<{ count: number }>("select count(*)::int as count from call")
    .catch(() => undefined);
  return answer?.rows[0]?.count;
}

/** What is on the service, one line for each call, sorted. */
async function storedLines(): Promise<string[]> {
  const { rows } = await stack.adminDb.query(
    `select encode(c.sha256, 'hex') as sha256, u.email, extract(epoch from c.happened_at)::int as seconds,
            (select value from call_metadata m where m.call_id = c.id and m.key = 'client_phone') as phone
       from call c join app_user u on u.id = c.agent_id`,
  );
  return rows.map(({ sha256, email, seconds, phone }) => callLine(sha256, email, seconds, phone)).sort();
}

/** Every kind of blow, each as often as it must come, in a random order. */
function someBlows(): (keyof typeof kills)[] {
  const blows = Object.entries(kills).flatMap(([kind, times]) => Array<keyof typeof kills>(times).fill(kind as "api"));
  return blows
    .map((blow) => ({ blow, place: chance() }))
    .sort((a, b) => a.place - b.place)
    .map(({ blow }) => blow);
}

test(`an import of ${calls} calls survives whatever is killed, and proves it`, { timeout: 5_400_000 }, async () => {
  say(`seed ${seed}`);
  const blows = someBlows();
  let run: CommandRun = startImport();
  let runs = 1;
  const strike = {
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

  // A blow falls whenever another part of the calls has arrived, so that all of them fall while there is work left.
  for (const [at, blow] of blows.entries()) {
    const due = Math.floor((calls * (at + chance())) / (blows.length + 1));
    await until(`${due} calls are there, for blow ${at} (${blow})`, 600_000, async () => {
      if (run.child.exitCode !== null) throw new Error(`the import ended too early:\n${run.stdout()}\n${run.stderr()}`);
      return ((await countCalls()) ?? 0) >= due;
    });
    await strike[blow]();
  }
  expect(await run.ended, `${run.stdout()}\n${run.stderr()}`).toBe(0);
  say(`${runs} runs, ${blows.length} blows; the last said ${run.stdout().trim().split("\n").at(-1)}`);

  const summary = JSON.parse(run.stdout().trim().split("\n").at(-1) ?? "");
  expect(summary).toMatchObject({
    rows: calls,
    failed: 0,
    reconciliation: { rows: calls, present: calls, missing: 0 },
  });
  expect(await storedLines()).toEqual(backfill.expected);
  const proof = await runCommand(connection(), "reconcile", ...backfillOptions(backfill, stack.campaignId), "--json");
  expect(proof.code, proof.stderr).toBe(0);
  expect(JSON.parse(proof.stdout)).toMatchObject({ rows: calls, present: calls, missing: 0 });
  await sweepAll(stack);
  expect(await findLeftovers(stack, store)).toEqual(noLeftovers);
});

test("one more run uploads nothing", { timeout: 600_000 }, async () => {
  const again = startImport();
  expect(await again.ended, again.stderr()).toBe(0);
  expect(JSON.parse(again.stdout().trim().split("\n").at(-1) ?? "")).toMatchObject({
    rows: calls,
    imported: 0,
    present: calls,
  });
});
