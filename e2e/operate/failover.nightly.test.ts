// Nightly, and for changes in: docs/operations/failover.md, server/src/platform/database/, server/src/platform/queue/, e2e/operate/support/patroni.ts
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findReviewDifferences } from "../scoring/support/review-differences.ts";
import { startReviewLoad } from "../scoring/support/review-load.ts";
import { reviewTestsOn } from "../scoring/support/review-tests.ts";
import { findDamage, noDamage } from "../support/data/damage-report.ts";
import { type EventClient, type EventPage, eventClient } from "../support/http/event-client.ts";
import { type EventFollower, followEvents } from "../support/http/follow-events.ts";
import { countByStatus, startLoad } from "../support/load/load.ts";
import { alive } from "../support/measuring/machine.ts";
import { KB } from "../support/recordings/recordings.ts";
import { random, scale, seed } from "../support/run-scale.ts";
import { openStack, type Stack, unlimited } from "../support/stack/stack.ts";
import { openStore } from "../support/stack/store.ts";
import { say, until } from "../support/waiting.ts";
import { type Failure, type PatroniCluster, startPatroni } from "./support/patroni.ts";
import { type Pgbouncer, setRoleTimeouts, startPgbouncer } from "./support/pgbouncer.ts";

const failures: readonly Failure[] = ["postgres", "silence", "machine"];
const kinds: readonly (Failure | "switchover")[] = scale(
  ["postgres", "silence"],
  ["postgres", "silence"],
  ["switchover", ...Array.from({ length: 20 }, (_, at) => failures[at % failures.length] ?? "machine")],
);
/** In CI, Patroni waits for 6 s instead of 20 s before it replaces a machine. */
const timeouts = scale({ ttl: 6, loop_wait: 1, retry_timeout: 2 }, { ttl: 6, loop_wait: 1, retry_timeout: 2 }, {});
/** Per API. */
const clients = scale({ importers: 2, reviewers: 1 }, { importers: 2, reviewers: 1 }, { importers: 8, reviewers: 4 });
const resumeWithinMs = 15_000;
/** DATABASE_CONNECTIONS of an API and a worker, and four for the worker's queue. */
const mostConnections = 20 + 20 + 4;
const chance = random();

let cluster: PatroniCluster;
let pgbouncer: Pgbouncer;
let stack: Stack;
beforeAll(async () => {
  cluster = await startPatroni(timeouts);
  pgbouncer = await startPgbouncer(cluster.port);
  stack = await openStack(undefined, unlimited, { postgres: cluster.env });
  await setRoleTimeouts(stack.adminDb);
});
afterAll(async () => {
  await stack?.stop();
  await pgbouncer?.stop();
  await cluster?.stop();
});

/** An API, a worker and their clients. `pause` is called by each client after an import or a review. */
async function startService(settings: Record<string, string>, pause: () => Promise<void>) {
  const api = await stack.startApi({ env: settings });
  const worker = await stack.startWorker(settings);
  const tests = await reviewTestsOn(stack, api);
  const size = () => (chance() < 0.95 ? 20 * KB : 500 * KB);
  const imports = startLoad(tests.service, { clients: clients.importers, size, pause });
  const reviews = await startReviewLoad(tests, { reviewers: clients.reviewers, chance, pause });
  return {
    api,
    worker,
    imports,
    reviews,
    /** Start of the last successful write of each client. */
    lastGood: () => [...imports.lastGood, ...reviews.lastGood],
    refusals: () => [...imports.refusals, ...reviews.refusals],
    stop: () => Promise.all([imports.stop(), reviews.stop()]),
    abandon() {
      imports.abandon();
      reviews.abandon();
    },
  };
}

/** Follows all events from the first one. */
async function startFollower(client: EventClient): Promise<EventFollower> {
  const { body } = await client.ask<EventPage>("GET", "/events?limit=1");
  expect(body.events).toHaveLength(1);
  return followEvents(client, { cursor: body.next });
}

/** Connections of the services, and those in a transaction although there are no requests. */
async function connections() {
  const { rows } = await stack.adminDb.query<{ count: number; stuck: string[] | null }>(
    `select count(*)::int, json_agg(state || ': ' || query) filter (where
        state like 'idle in transaction%' and state_change < now() - interval '1 s'
        or state = 'active' and query_start < now() - interval '5 s') as stuck
      from pg_stat_activity where datname = current_database() and usename = 'hearback_service'`,
  );
  return rows[0];
}

test(`${kinds.length} failovers lose and double nothing, and clients get only 503, also through PgBouncer`, {
  timeout: 300_000 + kinds.length * 120_000,
}, async () => {
  say(`seed ${seed}`);
  // The workers must be able to prepare everything: full speed only before a failure.
  const quietMs = 10_000;
  let longestPauseMs = quietMs;
  async function pause(): Promise<void> {
    const [begun, share] = [Date.now(), chance()];
    while (Date.now() < begun + share * longestPauseMs) await sleep(50);
  }
  const direct = await startService({}, pause);
  const pooled = await startService(
    { DATABASE_URL: pgbouncer.url(stack.env.DATABASE_URL), DATABASE_PREPARED_STATEMENTS: "false" },
    pause,
  );
  const services = [direct, pooled];
  const follower = await startFollower(await eventClient(stack, direct.api.baseUrl));
  /** The time at which every client of a service has written something since then. */
  const everyClientWrites = async (since: number, withinMs: number, { lastGood }: (typeof services)[number]) => {
    await until("every client writes", withinMs, () => lastGood().every((begun) => begun >= since));
    return Date.now();
  };
  try {
    for (const service of services) await everyClientWrites(1, 60_000, service);
    for (const [at, kind] of kinds.entries()) {
      if (at > 0) await cluster.rejoin();
      longestPauseMs = 0;
      await sleep(300 + chance() * 500);
      const { failedAt, promotedAt } = await (kind === "switchover" ? cluster.switchOver() : cluster.fail(kind));
      longestPauseMs = 2_000;
      const resumedAt = await Promise.all(services.map((service) => everyClientWrites(promotedAt, 60_000, service)));
      longestPauseMs = quietMs;
      const [afterMs = 0, pooledAfterMs = 0] = resumedAt.map((time) => time - promotedAt);
      say(
        `${kind}: promoted after ${promotedAt - failedAt} ms; all clients write ${afterMs} ms later, ` +
          `those through PgBouncer ${pooledAfterMs} ms`,
      );
      expect(Math.max(afterMs, pooledAfterMs)).toBeLessThan(resumeWithinMs);
      for (const { api } of services) expect((await fetch(`${api.baseUrl}/readyz`)).status).toBe(200);
    }
    const stopped = services.map(({ stop }) => stop());
    longestPauseMs = 0;
    await Promise.all(stopped);
  } catch (error) {
    say(cluster.log());
    throw error;
  } finally {
    for (const { abandon } of services) abandon();
  }

  const stopped = Date.now();
  await until("the workers have prepared all calls", 600_000, async () => {
    const { rows } = await stack.adminDb.query("select 1 from call where status <> 'ready' limit 1");
    return rows.length === 0;
  });
  say(`all calls are ready ${Date.now() - stopped} ms after the last import`);
  await follower.stop();

  for (const { api, worker, imports, reviews, refusals } of services) {
    say(
      `${imports.acknowledged.size} imports, ${reviews.acknowledged.size} reviews, else ${countByStatus(refusals())}`,
    );
    expect(refusals().length).toBeGreaterThan(0);
    expect(refusals().filter(({ status, retryAfter }) => status !== 503 || !/^\d+$/.test(retryAfter ?? ""))).toEqual(
      [],
    );
    expect(reviews.unexpected).toEqual([]);
    expect([api.pid, worker.pid].map(alive)).toEqual([true, true]);
    expect(await findDamage(stack, openStore(stack), imports.acknowledged)).toEqual(noDamage);
  }
  const acknowledged = new Map(services.flatMap(({ reviews }) => [...reviews.acknowledged]));
  expect(await findReviewDifferences(stack, acknowledged)).toEqual([]);

  expect(follower.refusals.filter(({ status, retryAfter }) => status !== 503 || !retryAfter)).toEqual([]);
  // Ids are opaque: compare with the order in the table.
  const { rows: stored } = await stack.adminDb.query<{ type: string; data: unknown }>(
    "select type, data from event order by epoch, xid, seq offset 1",
  );
  say(`${stored.length} events, ${follower.refusals.length} × 503 while reading them`);
  expect(follower.events.map(({ type, data }) => ({ type, data }))).toEqual(stored);
  expect(new Set(follower.events.map(({ id }) => id)).size).toBe(stored.length);

  const open = await connections();
  expect(open?.stuck).toBeNull();
  expect(open?.count).toBeLessThanOrEqual(services.length * mostConnections);
});
