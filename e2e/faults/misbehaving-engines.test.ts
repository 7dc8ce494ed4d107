import { afterAll, beforeAll, expect, test } from "vitest";
import { findDamage, findLeftovers, noDamage, noLeftovers, sweepAll } from "../support/data/damage-report.ts";
import { alive, peakMemoryMb, resetPeakMemory } from "../support/measuring/machine.ts";
import { scale, seed } from "../support/run-scale.ts";
import { engine, openStack, type Stack, unlimited } from "../support/stack/stack.ts";
import { openStore } from "../support/stack/store.ts";
import { say, until } from "../support/waiting.ts";
import { limits, type Outcome, untilHealthy } from "./support/cell.ts";
import { importDuring } from "./support/import-cell.ts";
import { prepareDuring } from "./support/job-cell.ts";
import { type Lane, openLane } from "./support/lane.ts";
import { type Cell, nameOf, selectCells } from "./support/matrix.ts";
import { playDuring } from "./support/playback-cell.ts";

const cells = selectCells(seed);
const run = { import: importDuring, playback: playDuring, job: prepareDuring };
const stacks: Stack[] = [];
const lanes: Lane[] = [];

beforeAll(async () => {
  if (engine !== "s3") return;
  // The workers of one installation take each other's jobs, so that each needs its own.
  const kinds = ["api", ...Array<"worker">(scale(2, 3, 3)).fill("worker")] as const;
  for (const _ of kinds) stacks.push(await openStack("s3", unlimited));
  const opening = stacks.flatMap((stack, at) => {
    const kind = kinds[at] ?? "api";
    return Array.from({ length: kind === "api" ? scale(3, 4, 4) : 1 }, () => openLane(stack, kind));
  });
  lanes.push(...(await Promise.all(opening)));
});
afterAll(async () => {
  await Promise.all(stacks.map((stack) => stack.stop()));
  await Promise.all(lanes.map((lane) => lane.closeProxies()));
});

interface Measured extends Outcome {
  readonly cell: Cell;
  readonly memoryMb: number;
  /** How long an import took before the fault. On a busy machine everything takes longer. */
  readonly usualMs: number;
}

async function measure(lane: Lane, cell: Cell): Promise<Measured> {
  const { pid } = lane.subject;
  const usualMs = await untilHealthy(lane);
  const before = await resetPeakMemory(pid);
  const outcome = await run[cell.operation](lane, cell);
  if (!alive(pid)) throw new Error(`the process ended; its log ends with:\n${lane.subject.log().slice(-3_000)}`);
  return { ...outcome, cell, usualMs, memoryMb: (await peakMemoryMb(pid)) - before };
}

const describe = ({ cell, result, answerMs, healthyMs, memoryMb, usualMs }: Measured) =>
  `${nameOf(cell)}: ${result}, answered after ${Math.round(answerMs)} ms, healthy after ${Math.round(healthyMs)} ms (before: ${Math.round(usualMs)} ms), +${memoryMb.toFixed(0)} MB`;

const isWithinLimits = ({ answerMs, healthyMs, memoryMb, usualMs }: Measured) =>
  answerMs <= limits.answerMs + usualMs && healthyMs <= limits.healthyMs + 2 * usualMs && memoryMb <= limits.memoryMb;

/** Runs cells until none is left that this kind of lane can run. */
async function work(lane: Lane, left: Cell[], done: (measured: Measured) => void, broken: string[]): Promise<void> {
  for (let cell = left.shift(); cell; cell = left.shift()) {
    try {
      done(await measure(lane, cell));
    } catch (error) {
      for (const proxy of Object.values(lane.proxies)) proxy.heal();
      broken.push(`${nameOf(cell)}: ${error instanceof Error ? error.message : error}`);
      say(broken.at(-1) ?? "");
    }
  }
}

test.runIf(engine === "s3")(
  `${cells.length} faults of an engine: an answer in 30 s, healthy 5 s later, nothing lost, doubled or leaked`,
  { timeout: scale(300_000, 300_000, 3_600_000) },
  async () => {
    say(`seed ${seed}`);
    const measured: Measured[] = [];
    const broken: string[] = [];
    const jobs = cells.filter(({ operation }) => operation === "job");
    const requests = cells.filter(({ operation }) => operation !== "job");
    const done = (one: Measured) => {
      measured.push(one);
      say(describe(one));
    };
    await Promise.all(lanes.map((lane) => work(lane, lane.subject === lane.api ? requests : jobs, done, broken)));
    const most = (of: (one: Measured) => number) => Math.round(Math.max(...measured.map(of)));
    say(
      `${measured.length} cells: answered after ${most((one) => one.answerMs)} ms at most, healthy after ${most((one) => one.healthyMs)} ms, +${most((one) => one.memoryMb)} MB`,
    );
    await Promise.all(lanes.map(expectUndamaged));
    await Promise.all(stacks.map(expectNoLeftovers));
    expect([...broken, ...measured.filter((one) => !isWithinLimits(one)).map(describe)]).toEqual([]);
  },
);

/** Sessions of the service that neither work nor wait for work. */
const stuckSessions = `select from pg_stat_activity where datname = current_database()
  and application_name like 'hearback%' and state <> 'idle' and now() - state_change > interval '5 s'`;

async function expectUndamaged({ stack, proxies, subject, acknowledged }: Lane): Promise<void> {
  await until("no connection is stuck", limits.answerMs, async () => {
    const { rowCount } = await stack.adminDb.query(stuckSessions);
    return rowCount === 0 && Object.values(proxies).every((proxy) => proxy.deadConnections() === 0);
  });
  const store = openStore(stack);
  expect(await findDamage(stack, store, acknowledged)).toEqual(noDamage);
  await store.close();
  expect(await subject.stop()).toBe(0);
}

async function expectNoLeftovers(stack: Stack): Promise<void> {
  await sweepAll(stack);
  const store = openStore(stack);
  expect(await findLeftovers(stack, store)).toEqual(noLeftovers);
  await store.close();
}
