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
import { countByStatus, type Load, startLoad } from "../support/load/load.ts";
import { KB, serviceAt } from "../support/recordings/recordings.ts";
import { random, scale, seed } from "../support/run-scale.ts";
import { openToxicProxy, type ToxicProxy } from "../support/servers/toxic-proxy.ts";
import { type ApiProcess, openStack, type Stack, unlimited } from "../support/stack/stack.ts";
import { openStore, type Store } from "../support/stack/store.ts";
import { say, until } from "../support/waiting.ts";

const cuts = scale(8, 20, 200);
/** So many that imports share statements. */
const clients = 16;

const chance = random();
let stack: Stack;
let store: Store;
let api: ApiProcess;
let proxy: ToxicProxy;

beforeAll(async () => {
  stack = await openStack(undefined, unlimited);
  store = openStore(stack);
  const { DATABASE_URL = "" } = stack.env;
  proxy = await openToxicProxy(Number(new URL(DATABASE_URL).port));
  api = await stack.startApi({ env: { DATABASE_URL: proxy.url(DATABASE_URL) } });
});
afterAll(async () => {
  await stack?.stop();
  await proxy?.close();
  await store?.close();
});

/** Loses the connections once the statement is sent: PostgreSQL commits it, and the API does not get to know. */
async function loseNextCommit(load: Load): Promise<void> {
  proxy.inject("reset", { request: /\0insert-calls\0/ });
  await until("a commit is lost", 30_000, () => proxy.hits() > 0);
  await sleep(chance() * 20);
  proxy.heal();
  const before = load.acknowledged.size;
  await until("imports are acknowledged again", 30_000, () => load.acknowledged.size > before);
  await sleep(chance() * 100);
}

/** Whether calls were stored by one transaction. */
async function someShareCommits(): Promise<boolean> {
  const { rows } = await stack.adminDb.query("select from call group by xmin::text having count(*) > 1 limit 1");
  return rows.length > 0;
}

test(`${cuts} lost responses to the commits of ${clients} concurrent imports: nothing lost, nothing doubled, only 503`, {
  timeout: 60_000 + cuts * 5_000,
}, async () => {
  say(`seed ${seed}`);
  const load = startLoad(serviceAt(stack, api.port), { clients, size: () => Math.floor((20 + chance() * 80) * KB) });
  try {
    await until("the first imports are acknowledged", 30_000, () => load.acknowledged.size > clients);
    for (let cut = 0; cut < cuts; cut++) await loseNextCommit(load);
    await until("imports share a commit", 60_000, someShareCommits);
    await load.stop();
  } finally {
    load.abandon();
  }
  say(`${load.acknowledged.size} acknowledged, else: ${countByStatus(load.refusals)}`);
  expect(load.refusals.length).toBeGreaterThanOrEqual(cuts);
  expect([...new Set(load.refusals.map(({ status }) => status))]).toEqual([503]);
  // Clients that sent a call again after its commit was lost.
  const metrics = await (await fetch(`${api.baseUrl}/metrics`)).text();
  expect(Number(/^hearback_imports_total\{.*outcome="duplicate".*\} (\d+)/m.exec(metrics)?.[1])).toBeGreaterThan(0);
  expect(await findDamage(stack, store, load.acknowledged)).toEqual(noDamage);
  expect(await countRows(stack, "call")).toBe(load.acknowledged.size);
  await sweepAll(stack);
  expect(await findLeftovers(stack, store)).toEqual(noLeftovers);
});
