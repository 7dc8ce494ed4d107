import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openCircuitBreaker } from "./circuit-breaker.ts";
import { EngineError } from "./engine.ts";

const options = { firstPauseMs: 100, longestPauseMs: 400, longestWaitMs: 300 };
const away = async () => {
  throw new EngineError("engine_unavailable", "away");
};

test("after a failure nothing is sent for a pause that grows; then one probe, whose outcome the others wait for", async () => {
  const circuit = openCircuitBreaker(options);
  await expect(circuit.send(away)).rejects.toThrow("away");
  let failedAt = performance.now();
  const pauses: number[] = [];
  const probe = async () => {
    pauses.push(performance.now() - failedAt);
    await sleep(100);
    failedAt = performance.now();
    return away();
  };
  await Promise.all([1, 2, 3, 4].map(() => circuit.send(probe).catch(() => {})));
  // A second probe at the same time would come before the first one failed.
  const [first, ...later] = pauses;
  expect(first).toBeGreaterThan(95);
  for (const pause of later) expect(pause).toBeGreaterThan(195);
});

test("an answer closes it, also one that is about a single call", async () => {
  const circuit = openCircuitBreaker(options);
  await expect(circuit.send(away)).rejects.toThrow("away");
  expect(await circuit.send(async () => "words")).toBe("words");
  await expect(circuit.send(away)).rejects.toThrow("away");
  const refuse = async () => {
    throw new EngineError("engine_refused", "too long");
  };
  await expect(circuit.send(refuse)).rejects.toThrow("too long");
  expect(await circuit.wait(AbortSignal.abort())).toBe(true);
});

test("waiting is bounded, and ends when the worker stops", async () => {
  const circuit = openCircuitBreaker({ ...options, firstPauseMs: 60_000, longestPauseMs: 60_000 });
  await expect(circuit.send(away)).rejects.toThrow("away");
  expect(await circuit.wait()).toBe(false);
  await expect(circuit.send(async () => "words")).rejects.toMatchObject({ code: "engine_unavailable" });
  await expect(circuit.wait(AbortSignal.timeout(20))).rejects.toThrow();
});
