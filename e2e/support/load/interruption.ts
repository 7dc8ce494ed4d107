import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { findDamage, findLeftovers, noDamage, noLeftovers, sweepAll } from "../data/damage-report.ts";
import { alive } from "../measuring/machine.ts";
import { KB, MB, serviceAt } from "../recordings/recordings.ts";
import { random, scale, seed } from "../run-scale.ts";
import type { ApiProcess, Stack } from "../stack/stack.ts";
import { openStore } from "../stack/store.ts";
import { say, until } from "../waiting.ts";
import { countByStatus, type Load, startLoad } from "./load.ts";

/** How to interrupt and recover an engine. */
export interface Interruption {
  readonly times: number;
  interrupt(): Promise<void>;
  recover(): Promise<unknown>;
}

/** For a change, only against waiting forever: other tests run beside it. */
const HEALTHY_WITHIN_MS = scale(60_000, 10_000, 10_000);
const ANSWER_WITHIN_MS = scale(60_000, 30_000, 30_000);

/** The API process must survive the loss of its engines. */
function expectAlive(api: ApiProcess): void {
  if (!alive(api.pid)) throw new Error(`the API ended; its log ends with:\n${api.log().slice(-3_000)}`);
}

const everyClientImportsAgain = (api: ApiProcess, load: Load, withinMs: number) => {
  const since = Date.now();
  return until("every client imports again", withinMs, () => {
    expectAlive(api);
    return load.lastGood.every((begun) => begun >= since);
  });
};

/** Interrupts an engine repeatedly under the load of 8 clients. They must get only 503 with Retry-After. */
export async function interruptUnderLoad(stack: Stack, { times, interrupt, recover }: Interruption): Promise<void> {
  say(`seed ${seed}`);
  const chance = random();
  const store = openStore(stack);
  const api = await stack.startApi();
  const load = startLoad(serviceAt(stack, api.port), {
    clients: 8,
    size: () => (chance() < 0.9 ? 100 * KB : chance() < 0.7 ? MB : 12 * MB),
    pause: () => sleep(scale(200, 0, 0)),
  });
  let slowest = 0;
  try {
    await everyClientImportsAgain(api, load, 30_000);
    for (let time = 0; time < times; time++) {
      await sleep(chance() * 500);
      const before = load.refusals.length;
      await interrupt();
      await until("a client got 503", ANSWER_WITHIN_MS, () => load.refusals.length > before);
      await sleep(chance() * 1_000);
      await recover();
      const back = Date.now();
      await everyClientImportsAgain(api, load, HEALTHY_WITHIN_MS);
      slowest = Math.max(slowest, Date.now() - back);
      expect((await fetch(`${api.baseUrl}/readyz`)).status).toBe(200);
    }
    await load.stop();
  } finally {
    load.abandon();
    await recover();
  }
  say(
    `${times} times, ${load.acknowledged.size} acknowledged, else: ${countByStatus(load.refusals)}, healthy after ${slowest} ms at most`,
  );
  const wrong = load.refusals.filter(
    ({ status, retryAfter, ms }) => status !== 503 || !/^\d+$/.test(retryAfter ?? "") || ms > ANSWER_WITHIN_MS,
  );
  expect(wrong).toEqual([]);
  expect(await api.stop()).toBe(0);
  expect(await findDamage(stack, store, load.acknowledged)).toEqual(noDamage);
  await sweepAll(stack);
  expect(await findLeftovers(stack, store)).toEqual(noLeftovers);
  await store.close();
}
