import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  countRows,
  findDamage,
  findLeftovers,
  noDamage,
  noLeftovers,
  sweepAll,
} from "../support/data/damage-report.ts";
import { countByStatus, startLoad } from "../support/load/load.ts";
import { KB, MB, makeRecording, serviceAt, tryImport } from "../support/recordings/recordings.ts";
import { random, scale, seed } from "../support/run-scale.ts";
import { freePort } from "../support/stack/free-port.ts";
import { type ApiProcess, openStack, type Stack, unlimited } from "../support/stack/stack.ts";
import { openStore, type Store } from "../support/stack/store.ts";
import { say, until } from "../support/waiting.ts";

const kills = scale(5, 10, 200);
const sweeperKills = scale(3, 6, 20);
const atLeastAcknowledged = scale(0, 0, 3_000);
const longestLifeMs = 1_200;

const server = join(import.meta.dirname, "../../server/src/main.ts");
const chance = random();
let stack: Stack;
let store: Store;
let port: number;
let api: ApiProcess;
/** Acknowledged calls: SHA-256 of the recording → call id. */
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

/** Mostly short recordings, some of a minute, some large enough for a multipart upload. */
function randomSize(): number {
  const kind = chance();
  if (kind < 0.7) return Math.floor(60 * KB + chance() * 80 * KB);
  if (kind < 0.94) return Math.floor(MB * (0.5 + chance()));
  return 12 * MB;
}

async function killAndRestart(): Promise<void> {
  await api.kill();
  api = await stack.startApi({ port });
}

test(`${kills} kills of the API do not lose, duplicate or change acknowledged calls`, {
  timeout: 3_600_000,
}, async () => {
  say(`seed ${seed}`);
  const load = startLoad(serviceAt(stack, port), { clients: 8, size: randomSize });
  try {
    for (let kill = 0; kill < kills; kill++) {
      await sleep(chance() * longestLifeMs);
      await killAndRestart();
    }
    await until("enough calls are acknowledged", 1_800_000, () => load.acknowledged.size >= atLeastAcknowledged);
    await load.stop();
  } finally {
    load.abandon();
  }

  for (const [sha256, id] of load.acknowledged) acknowledged.set(sha256, id);
  say(`${kills} kills, ${acknowledged.size} acknowledged, else: ${countByStatus(load.refusals)}`);
  expect(acknowledged.size).toBeGreaterThan(kills);
  expect(await findDamage(stack, store, acknowledged)).toEqual(noDamage);
  // Clients see only 503 or a closed connection.
  expect(load.refusals.filter(({ status }) => status !== 0 && status !== 503)).toEqual([]);
});

/** Kills the API during uploads, so that the sweep has something to remove. */
async function leaveSomething(): Promise<void> {
  for (let attempt = 0; (await countRows(stack, "staged_object")) === 0; attempt++) {
    expect(attempt, "killing the API in the middle of uploads leaves staged rows").toBeLessThan(20);
    const uploads = Array.from({ length: 8 }, (_, n) =>
      tryImport(serviceAt(stack, port), makeRecording(n % 2 === 0 ? 12 * MB : 2 * MB)),
    );
    const staged = async () => (await countRows(stack, "staged_object")) > 0;
    await Promise.race([until("an upload is staged", 30_000, staged, 5), Promise.all(uploads)]);
    await sleep(chance() * 20);
    await killAndRestart();
    await Promise.all(uploads);
  }
}

/** Starts a sweep and kills it after a delay. Returns false if it completed before. */
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

test(`a sweep killed ${sweeperKills} times leaves no orphans and no dangling rows`, {
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
    // It completed before the kill: the machine is faster than when the start was timed.
    else startMs *= 0.8;
  }
  await sweepAll(stack);
  expect(await findLeftovers(stack, store)).toEqual(noLeftovers);
  expect(await findDamage(stack, store, acknowledged)).toEqual(noDamage);
});

test("a sweep during imports does not remove objects of calls", { timeout: 300_000 }, async () => {
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

/** Runs the verify command, which exits with 1 if something is damaged. */
async function verify(): Promise<Verification & { readonly code: number }> {
  try {
    return { ...(await stack.command<Verification>("verify", "--json")), code: 0 };
  } catch (error) {
    const { stdout, code } = error as { stdout?: string; code?: number };
    return { ...(JSON.parse(stdout ?? "") as Verification), code: code ?? Number.NaN };
  }
}

test("the verify command finds a flipped byte", {
  timeout: 600_000,
}, async () => {
  const calls = await countRows(stack, "call");
  expect(await verify()).toMatchObject({ checked: calls, damaged: [], restored: 0, prepared_again: 0, code: 0 });

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
