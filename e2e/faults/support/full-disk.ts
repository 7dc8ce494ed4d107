import { afterAll, expect } from "vitest";
import { findDamage, findLeftovers, noDamage, noLeftovers, sweepAll } from "../../support/data/damage-report.ts";
import { countByStatus, type Load } from "../../support/load/load.ts";
import { scale } from "../../support/run-scale.ts";
import { mountSmallDisk, type SmallDisk } from "../../support/stack/small-disk.ts";
import { type ApiProcess, openStack, type Stack, unlimited } from "../../support/stack/stack.ts";
import { openStore } from "../../support/stack/store.ts";
import { say, until } from "../../support/waiting.ts";

const cleanup: (() => Promise<unknown>)[] = [];
/** Runs after all tests, the last one first. */
export const ending = (work: () => Promise<unknown>) => cleanup.unshift(work);
afterAll(async () => {
  for (const work of cleanup) await work();
});

export async function mount(megabytes: number): Promise<SmallDisk> {
  const disk = await mountSmallDisk(megabytes);
  ending(() => disk.remove());
  return disk;
}

export async function open(kind?: "filesystem", settings: Record<string, string> = {}): Promise<Stack> {
  const stack = await openStack(kind, { ...unlimited, ...settings });
  ending(() => stack.stop());
  return stack;
}

export const firstRefusal = (load: Load, withinMs = 30_000) =>
  until("an import is refused", withinMs, () => load.refusals.length > 0);

/** After space was freed: everyone imports again, every refusal was a 503, and no acknowledged call is lost. */
export async function expectRecovery(stack: Stack, api: ApiProcess, load: Load): Promise<void> {
  const freed = Date.now();
  await until("all clients import again", scale(60_000, 10_000, 10_000), () =>
    load.lastGood.every((begun) => begun > freed),
  );
  say(`imports ${Date.now() - freed} ms after space was freed; refused before: ${countByStatus(load.refusals)}`);
  expect((await fetch(`${api.baseUrl}/readyz`)).status).toBe(200);
  await load.stop();
  const wrong = load.refusals.filter(
    ({ status, retryAfter, ms }) =>
      status !== 503 || !/^\d+$/.test(retryAfter ?? "") || ms > scale(60_000, 30_000, 30_000),
  );
  expect(wrong).toEqual([]);
  const store = openStore(stack);
  expect(await findDamage(stack, store, load.acknowledged)).toEqual(noDamage);
  await sweepAll(stack);
  expect(await findLeftovers(stack, store)).toEqual(noLeftovers);
  await store.close();
}
