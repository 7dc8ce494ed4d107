// Nightly, and for changes in: docs/operations/backup-and-upgrade.md, server/src/platform/database/, server/src/platform/queue/
import { setTimeout as sleep } from "node:timers/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countByState } from "../support/data/count-events.ts";
import { findDamage, findLeftovers, noDamage, noLeftovers, sweepAll } from "../support/data/damage-report.ts";
import { type EventClient, eventClient } from "../support/http/event-client.ts";
import { followEvents, readAllEvents } from "../support/http/follow-events.ts";
import type { Answer } from "../support/http/http.ts";
import { countByStatus, type Load, startLoad } from "../support/load/load.ts";
import { KB, MB, serviceAt } from "../support/recordings/recordings.ts";
import { random, scale, seed } from "../support/run-scale.ts";
import { openReceiver, type Receiver } from "../support/servers/webhook-receiver.ts";
import { freePort } from "../support/stack/free-port.ts";
import { hasCommit, installRelease, type Release, thisRelease } from "../support/stack/release.ts";
import { runServerCommand } from "../support/stack/server-command.ts";
import { type ApiProcess, openStack, type ServerProcess, type Stack, unlimited } from "../support/stack/stack.ts";
import { openStore } from "../support/stack/store.ts";
import { say, until } from "../support/waiting.ts";
import { type Caddy, startCaddy } from "./support/caddy.ts";
import { watchLocks } from "./support/lock-monitor.ts";

/** The release from which an upgrade must work, and to which it can be rolled back. */
const previous = { name: "v0_1_0", commit: "3e44c9901759be963a2c0b5a1ea3511fd2ac9b93" };
/** A copy of the sources without their history does not have the previous release. */
const withHistory = hasCommit(previous.commit);
if (!withHistory) say(`the upgrade is not tested: commit ${previous.commit} is not in this repository`);
/** Load between two steps. */
const pauseMs = scale(500, 500, 10_000);
const longestLockMs = 1_000;
const chance = random();

const trusted = getCACertificates();
let old: Awaited<ReturnType<typeof installRelease>>;
let stack: Stack;
let caddy: Caddy;
let client: EventClient;
let receiver: Receiver;
let apis: { port: number; process: ApiProcess }[];
let worker: ServerProcess;
/** Of all processes that have ended. */
let logs = "";

beforeAll(async () => {
  if (!withHistory) return;
  old = await installRelease(previous.name, previous.commit);
  const settings = { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32", SHUTDOWN_DELAY_SECONDS: "1" };
  stack = await openStack(undefined, { ...unlimited, ...settings }, { release: old });
  const ports = [await freePort(), await freePort()];
  caddy = await startCaddy(async () => ports);
  setDefaultCACertificates([...trusted, caddy.authority]);
  apis = await Promise.all(
    ports.map(async (port) => ({ port, process: await stack.startApi({ port, release: old }) })),
  );
  worker = await stack.startWorker({}, old);
  client = await eventClient(stack, caddy.url);
  receiver = await openReceiver();
}, 180_000);
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await caddy?.stop();
  await receiver?.close();
  await stack?.stop();
  await old?.remove();
});

/** Replaces the processes one by one, as the upgrade instructions say. */
async function replaceProcesses(release: Release): Promise<void> {
  for (const api of apis) {
    expect(await api.process.stop()).toBe(0);
    logs += api.process.log();
    api.process = await stack.startApi({ port: api.port, release });
    await sleep(pauseMs);
  }
  expect(await worker.stop()).toBe(0);
  logs += worker.log();
  worker = await stack.startWorker({}, release);
  await sleep(pauseMs);
}

/** Reads calls through Caddy until it is stopped, and records responses other than 200. */
function startReading() {
  const refusals: { status: number; text: string; retryAfter: string | undefined }[] = [];
  let isReading = true;
  const read = async () => {
    while (isReading) {
      const answer = await client
        .ask("GET", "/calls?limit=20")
        .catch((error: Error) => ({ status: 0, text: `${error}`, headers: {} as Answer["headers"] }));
      const { status, text, headers } = answer;
      if (status !== 200) refusals.push({ status, text, retryAfter: headers["retry-after"] });
      await sleep(50);
    }
  };
  const reading = read();
  return {
    refusals,
    async stop() {
      isReading = false;
      await reading;
    },
  };
}

test.skipIf(!withHistory)(
  "upgrade from the previous release and back under load: no request fails",
  {
    timeout: 900_000,
  },
  async () => {
    say(`seed ${seed}`);
    await client.createWebhook(receiver.url);
    // In release 0.1.0, two processes that create the same month at the same time can fail.
    await stack.adminDb.query(
      "select add_call_month(month) from generate_series('2020-09-01Z'::timestamptz, '2023-11-30Z', '1 month') as month",
    );
    const store = openStore(stack);
    const service = { ...serviceAt(stack, 0), baseUrl: caddy.url };
    const load: Load = startLoad(service, {
      clients: 4,
      size: () => (chance() < 0.95 ? 20 * KB : MB),
      pause: () => sleep(scale(1_500, 1_500, 400)),
    });
    const reader = startReading();
    const follower = followEvents(client);
    try {
      await until("calls are imported", 30_000, () => load.acknowledged.size > 10);
      const locks = watchLocks(stack);
      const applied = await runServerCommand(stack.env, ["migrate"]);
      expect(applied).toContain("applied 0029-draws.sql");
      await sleep(pauseMs);
      await locks.stop();
      const longestWait = locks.longest();

      const counts: Record<string, number> = {};
      for (const [step, release] of [
        ["upgraded", thisRelease],
        ["rolled back", old],
      ] as const) {
        const before = load.acknowledged.size;
        await replaceProcesses(release);
        counts[step] = load.acknowledged.size - before;
      }
      await load.stop();
      await reader.stop();
      say(
        `calls imported while ${Object.entries(counts)
          .map(([step, count]) => `${step}: ${count}`)
          .join(
            ", ",
          )}; refused: ${countByStatus(load.refusals)}; longest wait for a lock ${longestWait.ms.toFixed(0)} ms, ${longestWait.statements}`,
      );
      expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
      expect(longestWait.ms).toBeLessThan(longestLockMs);
      const refusals = [...load.refusals, ...reader.refusals, ...follower.refusals];
      expect(refusals.filter(({ status, retryAfter }) => status !== 503 || !retryAfter)).toEqual([]);
    } finally {
      load.abandon();
      void reader.stop();
    }

    const total = load.acknowledged.size;
    await until("every call is ready", 240_000, async () => (await countByState(stack)).ready === total);
    expect(await findDamage(stack, store, load.acknowledged)).toEqual(noDamage);
    await sweepAll(stack);
    expect(await findLeftovers(stack, store)).toEqual(noLeftovers);
    await store.close();

    const { rows } = await stack.adminDb.query<{ count: number }>("select count(*)::int as count from event");
    await follower.stop();
    expect(follower.events).toHaveLength(rows[0]?.count ?? 0);
    const followed = follower.events.map(({ id }) => id);
    expect(followed, "the same events in the same order, read again").toEqual(await readAllEvents(client));
    // One event for each import, one for each call that became ready.
    await until("every event was delivered", 120_000, () => receiver.taken().size >= 2 * total);

    for (const { process } of apis) logs += process.log();
    logs += worker.log();
    expect(logs.split("\n").filter((line) => line.includes('"level":50'))).toEqual([]);
  },
);
