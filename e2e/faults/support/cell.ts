import { expect } from "vitest";
import { expectProblem } from "../../support/http/expect-problem.ts";
import type { Answer } from "../../support/http/http.ts";
import type { Call } from "../../support/http/service.ts";
import { KB, makeRecording, type Recording, tryImport } from "../../support/recordings/recordings.ts";
import { scale } from "../../support/run-scale.ts";
import type { Trigger } from "../../support/servers/toxic-proxy.ts";
import { until } from "../../support/waiting.ts";
import type { Lane } from "./lane.ts";
import type { Cell } from "./matrix.ts";

/** For a change, the times are only deadlines: other tests run beside it. */
export const limits = {
  answerMs: scale(40_000, 30_000, 30_000),
  healthyMs: scale(40_000, 5_000, 5_000),
  memoryMb: 50,
  readyMs: 90_000,
};

/** How an operation ended that met a fault. */
export interface Outcome {
  readonly result: string;
  /** From the begin of the fault. */
  readonly answerMs: number;
  /** From the end of the fault until the API was ready and imported again. */
  readonly healthyMs: number;
}

/** Where the fault begins. Undefined: before the operation. */
export type Triggers = Readonly<Record<Cell["engine"], Readonly<Record<Cell["place"], Trigger | undefined>>>>;

export function inject(lane: Lane, { engine, fault, place }: Cell, triggers: Triggers): void {
  lane.proxies[engine].inject(fault, triggers[engine][place]);
}

/** Ends the fault, which must have had an effect. Returns how long the service needed to be healthy again. */
export async function heal(lane: Lane, { engine }: Cell): Promise<number> {
  const proxy = lane.proxies[engine];
  const hits = proxy.hits();
  proxy.heal();
  expect(hits, "connections and chunks that the fault affected").toBeGreaterThan(0);
  return untilHealthy(lane);
}

/** Waits until the API is ready and imports. Returns how long that took. */
export async function untilHealthy(lane: Lane): Promise<number> {
  const since = performance.now();
  const recording = makeRecording(100 * KB);
  await until(
    "the API is ready and imports",
    limits.answerMs,
    async () => {
      const [{ status }, answer] = await Promise.all([
        fetch(`${lane.api.baseUrl}/readyz`),
        tryImport(lane.service, recording),
      ]);
      return status === 200 && acknowledge(lane, recording, answer);
    },
    50,
  );
  return performance.now() - since;
}

/** Records an acknowledged call. Returns false for any other answer. */
export function acknowledge(lane: Lane, recording: Recording, answer: Answer<Call> | Error): boolean {
  if (answer instanceof Error || answer.status !== 200) return false;
  const { id } = answer.body;
  expect(lane.acknowledged.get(recording.sha256) ?? id).toBe(id);
  lane.acknowledged.set(recording.sha256, id);
  return true;
}

export function expectUnavailable(answer: Answer): void {
  expectProblem(answer, 503, "database_unavailable", "storage_unavailable");
  expect(answer.headers["retry-after"]).toMatch(/^\d+$/);
}
