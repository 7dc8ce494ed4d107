import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countRows, findDamage, findLeftovers, noDamage, noLeftovers, sweepAll } from "../support/aftermath.ts";
import { countByStatus, startLoad } from "../support/load.ts";
import { aRecording, KB, MB, serviceAt, tryImport } from "../support/recordings.ts";
import { full, random, seed } from "../support/sizes.ts";
import { type ApiProcess, freePort, openStack, type Stack, unlimited } from "../support/stack.ts";
import { openStore, type Store } from "../support/store.ts";
import { say, until } from "../support/waiting.ts";

const kills = full ? 200 : 15;
const sweeperKills = full ? 20 : 6;
const atLeastAcknowledged = full ? 3_000 : 0;
const longestLifeMs = 1_200;

const server = join(import.meta.dirname, "../../server/src/main.ts");
const chance = random();
let stack: Stack;
let store: Store;
let port: number;
let api: ApiProcess;
/** What the clients were told: the digest of what they sent, and the call's id. */
const acknowledged = new Map<string, string>();

beforeAll(async () => {
  stack = await openStack(undefined, unlimited);
  store = openStore(stack);
  port = await freePort();
  api = await stack.startApi({ port });
});
afterAll(async () => {
  await stack?.stop();
  await store?.close();
});

/** Mostly short calls, some of a minute, some so long that S3 takes them in several parts. */
function someSize(): number {
  const kind = chance();
  if (kind < 0.7) return Math.floor(60 * KB + chance() * 80 * KB);
  if (kind < 0.94) return Math.floor(MB * (0.5 + chance()));
  return 12 * MB;
}

async function killAndRestart(): Promise<void> {
  await api.kill();
  api = await stack.startApi({ port });
}

test(`nothing acknowledged is lost, doubled or changed by ${kills} kills of the API`, {
  timeout: 3_600_000,
}, async () => {
  say(`seed ${seed}`);
  const load = startLoad(serviceAt(stack, port), { clients: 8, size: someSize });
  try {
    for (let kill = 0; kill < kills; kill++) {
      await sleep(chance() * longestLifeMs);
      await killAndRestart();
    }
    await until("enough is acknowledged", 1_800_000, () => load.acknowledged.size >= atLeastAcknowledged);
    await load.stop();
  } finally {
    load.abandon();
  }

  for (const [sha256, id] of load.acknowledged) acknowledged.set(sha256, id);
  say(`${kills} kills, ${acknowledged.size} acknowledged, else: ${countByStatus(load.refusals)}`);
  expect(acknowledged.size).toBeGreaterThan(kills);
  expect(await findDamage(stack, store, acknowledged)).toEqual(noDamage);
  // The API itself never says anything worse than "not now": what else a client sees is a cut connection.
  expect(load.refusals.filter(({ status }) => status !== 0 && status !== 503)).toEqual([]);
});

/** Makes sure that there is something to sweep: uploads that the API did not survive. */
async function leaveSomething(): Promise<void> {
  for (let attempt = 0; (await countRows(stack, "staged_object")) === 0; attempt++) {
    expect(attempt, "killing the API in the middle of uploads leaves staged rows").toBeLessThan(20);
    const uploads = Array.from({ length: 8 }, (_, n) =>
      tryImport(serviceAt(stack, port), aRecording(n % 2 === 0 ? 12 * MB : 2 * MB)),
    );
    await sleep(30 + chance() * 200);
    await killAndRestart();
    await Promise.all(uploads);
  }
}

/** Starts a sweep and kills it after a while. False if it was done before. */
async function killSweeper(afterMs: number): Promise<boolean> {
  const sweeper = spawn(process.execPath, [server, "sweep", "--older-than", "0", "--json"], {
    env: stack.env,
    stdio: "ignore",
  });
  const ended = once(sweeper, "exit");
  await Promise.race([sleep(afterMs), ended]);
  sweeper.kill("SIGKILL");
  await ended;
  return sweeper.signalCode === "SIGKILL";
}

test(`a sweep leaves no orphan and no dangling row, though killed ${sweeperKills} times`, {
  timeout: 600_000,
}, async () => {
  say(`seed ${seed}, ${await countRows(stack, "staged_object")} staged rows left by the kills`);
  const begun = Date.now();
  await stack.command("sweep", "--help");
  let startMs = Date.now() - begun;
  let killed = 0;
  for (let attempt = 0; killed < sweeperKills; attempt++) {
    expect(attempt, "the sweeper is still running when it is killed").toBeLessThan(sweeperKills * 4);
    await leaveSomething();
    if (await killSweeper(startMs * (0.5 + chance() * 1.5))) killed++;
    // Done before it could be killed: the machine is less busy than when a start was timed.
    else startMs *= 0.8;
  }
  await sweepAll(stack);
  expect(await findLeftovers(stack, store)).toEqual(noLeftovers);
  expect(await findDamage(stack, store, acknowledged)).toEqual(noDamage);
});

test("a sweep of everything while calls are imported takes nothing from a call", { timeout: 300_000 }, async () => {
  const load = startLoad(serviceAt(stack, port), { clients: 4, size: () => 100 * KB });
  try {
    for (let sweep = 0; sweep < 3; sweep++) await sweepAll(stack);
    await load.stop();
  } finally {
    load.abandon();
  }
  say(`${load.acknowledged.size} acknowledged meanwhile, else: ${countByStatus(load.refusals)}`);
  expect(load.refusals.filter(({ status }) => status !== 503)).toEqual([]);
  expect(await findDamage(stack, store, load.acknowledged)).toEqual(noDamage);
  await sweepAll(stack);
  expect(await findLeftovers(stack, store)).toEqual(noLeftovers);
});

interface Verification {
  readonly checked: number;
  readonly damaged: readonly { readonly workspace_id: string; readonly call_id: string; readonly problem: string }[];
}

/** Runs the verify command; it exits with code 1 where something is damaged. */
async function verify(): Promise<Verification & { readonly code: number }> {
  try {
    return { ...(await stack.command<Verification>("verify", "--json")), code: 0 };
  } catch (error) {
    const { stdout, code } = error as { stdout?: string; code?: number };
    return { ...(JSON.parse(stdout ?? "") as Verification), code: code ?? Number.NaN };
  }
}

test("the verify command finds nothing, and then the one call of which a byte was flipped", {
  timeout: 600_000,
}, async () => {
  const calls = await countRows(stack, "call");
  expect(await verify()).toEqual({ checked: calls, damaged: [], code: 0 });

  const ids = [...acknowledged.values()];
  const id = ids[Math.floor(chance() * ids.length)];
  const { rows } = await stack.adminDb.query<{ recording_key: string; recording_bytes: string }>(
    "select recording_key, recording_bytes from call where id = $1",
    [id],
  );
  const [row] = rows;
  if (!row) throw new Error(`no call ${id}`);
  await store.flipByte(row.recording_key, Math.floor(chance() * Number(row.recording_bytes)));

  const found = await verify();
  expect(found.code).toBe(1);
  expect(found.damaged.map(({ workspace_id, call_id }) => ({ workspace_id, call_id }))).toEqual([
    { workspace_id: stack.workspaceId, call_id: id },
  ]);
});
