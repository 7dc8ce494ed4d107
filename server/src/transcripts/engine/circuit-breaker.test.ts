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
  let sent = 0;
  const probe = async () => {
    sent += 1;
    await sleep(100);
    return away();
  };
  const began = performance.now();
  const waiting = [1, 2, 3, 4].map(() => circuit.send(probe).catch(() => {}));
  await sleep(50);
  expect(sent).toBe(0);
  await sleep(100);
  expect(sent).toBe(1);
  // The second failure doubles the pause: the next probe is 200 ms after it.
  await sleep(150);
  expect(sent).toBe(1);
  await Promise.all(waiting);
  expect(performance.now() - began).toBeLessThan(2_000);
  expect(sent).toBeLessThanOrEqual(2);
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
  const began = performance.now();
  await circuit.send(async () => "words");
  expect(performance.now() - began).toBeLessThan(50);
});

test("waiting is bounded, and ends when the worker stops", async () => {
  const circuit = openCircuitBreaker({ ...options, firstPauseMs: 60_000, longestPauseMs: 60_000 });
  await expect(circuit.send(away)).rejects.toThrow("away");
  expect(await circuit.wait()).toBe(false);
  await expect(circuit.send(async () => "words")).rejects.toMatchObject({ code: "engine_unavailable" });
  await expect(circuit.wait(AbortSignal.timeout(20))).rejects.toThrow();
});
