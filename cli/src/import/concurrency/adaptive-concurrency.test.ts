import { ServiceError, type ServiceErrorCode } from "@hearback/sdk";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openAdaptiveConcurrency } from "./adaptive-concurrency.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const refusal = (status: number, code: ServiceErrorCode = "storage_unavailable", retryAfterMs?: number) =>
  new ServiceError(code, { status, code, retryAfterMs, attempts: 1, nothingDone: true });
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A service with a fixed latency that fails with `fault` if set. */
function openService(latencyMs = 20) {
  const starts: number[] = [];
  const service = {
    starts,
    fault: undefined as ServiceError | undefined,
    inFlight: 0,
    maxInFlight: 0,
    async ask(): Promise<string> {
      starts.push(performance.now());
      service.maxInFlight = Math.max(service.maxInFlight, ++service.inFlight);
      await after(latencyMs);
      service.inFlight--;
      if (service.fault) throw service.fault;
      return "done";
    },
    between: (from: number, to: number) => starts.filter((at) => at >= from && at < to).length,
  };
  return service;
}

/** Workers that send requests continuously. */
function keepSending(
  concurrency: ReturnType<typeof openAdaptiveConcurrency>,
  ask: () => Promise<string>,
  workers: number,
) {
  const end = new AbortController();
  const worker = async () => {
    while (!end.signal.aborted) await concurrency.run(ask, { signal: end.signal }).catch(() => {});
  };
  for (let number = 0; number < workers; number++) void worker();
  return () => end.abort();
}

test("starts with 4 requests and grows to the maximum", async () => {
  const concurrency = openAdaptiveConcurrency({ max: 12 });
  const service = openService();
  const stop = keepSending(concurrency, service.ask, 30);
  await pass(1);
  expect(service.inFlight).toBe(4);
  await pass(1_000);
  expect([concurrency.atOnce, service.maxInFlight]).toEqual([12, 12]);
  stop();
});

test.each([
  ["is unavailable", refusal(503, "database_unavailable", 5_000)],
  ["rate-limits", refusal(429, "too_many_uploads", 5_000)],
])("when the service %s, all requests wait for Retry-After, then one probe is sent", async (_, fault) => {
  const concurrency = openAdaptiveConcurrency();
  const service = openService();
  const stop = keepSending(concurrency, service.ask, 16);
  await pass(1_000);
  service.fault = fault;
  await pass(40);
  const [from, until] = [performance.now(), performance.now() + 4_900];
  await pass(4_900);
  expect(service.between(from, until)).toBe(0);
  expect(concurrency.waiting).toContain("retrying in 1 s");
  await pass(700);
  expect(service.between(until, Number.POSITIVE_INFINITY)).toBe(1);
  service.fault = undefined;
  await pass(20_000);
  expect(concurrency.waiting).toBeUndefined();
  expect(concurrency.atOnce).toBe(16);
  stop();
});

test("backs off exponentially up to 30 s while the service is unreachable", async () => {
  const concurrency = openAdaptiveConcurrency();
  const service = openService();
  service.fault = new ServiceError(
    "No answer",
    { status: 0, code: "unreachable", attempts: 1, nothingDone: true },
    {
      cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }),
    },
  );
  const stop = keepSending(concurrency, service.ask, 16);
  await pass(200_000);
  expect(concurrency.waiting).toMatch(/^the service is unreachable \(connection refused\); retrying( in \d+ s)?$/);
  const pauses = service.starts.slice(4).map((at, index, all) => at - (all[index - 1] ?? at));
  expect(Math.max(...pauses)).toBeLessThanOrEqual(30_100);
  expect(pauses.at(-1)).toBeGreaterThan(14_000);
  stop();
});

test.each([1, 2, 3, 4, 5])("a service that recovers does not get more load than before (%i)", async () => {
  const concurrency = openAdaptiveConcurrency();
  const service = openService();
  const stop = keepSending(concurrency, service.ask, 40);
  await pass(3_000);
  const steady = service.between(1_000, 2_000);
  service.fault = refusal(503, "storage_unavailable", 2_000);
  await pass(60_000);
  service.fault = undefined;
  const recovered = performance.now();
  await pass(60_000);
  const firstAt = service.starts.find((at) => at >= recovered) ?? 0;
  expect(service.between(firstAt, firstAt + 1_000)).toBeLessThanOrEqual(2 * steady);
  expect(service.between(firstAt, firstAt + 100)).toBeLessThanOrEqual(steady / 10);
  expect(service.between(firstAt + 5_000, firstAt + 6_000)).toBeGreaterThan(0.9 * steady);
  stop();
});

test("learns the rate limit, so that few requests are rejected", async () => {
  const concurrency = openAdaptiveConcurrency();
  const perSecond = 200;
  let tokens = perSecond;
  let countedAt = performance.now();
  let taken = 0;
  let refused = 0;
  const ask = async () => {
    tokens = Math.min(perSecond, tokens + ((performance.now() - countedAt) / 1000) * perSecond);
    countedAt = performance.now();
    const granted = tokens >= 1;
    if (granted) tokens--;
    await after(10);
    if (!granted) {
      refused++;
      throw refusal(429, "rate_exceeded", 1_000);
    }
    taken++;
    return "done";
  };
  const stop = keepSending(concurrency, ask, 16);
  await pass(20_000);
  const before = [taken, refused];
  await pass(120_000);
  expect(taken - (before[0] ?? 0)).toBeGreaterThan(0.88 * 120 * perSecond);
  expect(refused - (before[1] ?? 0)).toBeLessThan(60);
  stop();
});

test("gives up after giveUpAfterMs without a success", async () => {
  const concurrency = openAdaptiveConcurrency({ giveUpAfterMs: 600_000 });
  const service = openService();
  service.fault = refusal(503);
  const given = Promise.all([1, 2, 3].map(() => concurrency.run(service.ask).catch((error) => error)));
  await pass(599_000);
  expect(service.starts.length).toBeGreaterThan(10);
  await pass(62_000);
  for (const error of await given)
    expect(error).toMatchObject({ exitCode: 4, message: expect.stringContaining("after 10 min") });
  await expect(concurrency.run(service.ask)).rejects.toMatchObject({ exitCode: 4 });
});

test("a success restarts the timeout", async () => {
  const concurrency = openAdaptiveConcurrency({ giveUpAfterMs: 60_000 });
  const service = openService();
  const stop = keepSending(concurrency, service.ask, 4);
  for (let outage = 0; outage < 5; outage++) {
    service.fault = refusal(503);
    await pass(40_000);
    service.fault = undefined;
    await pass(40_000);
  }
  expect(concurrency.waiting).toBeUndefined();
  await expect(Promise.all([concurrency.run(service.ask), pass(1_000)])).resolves.toBeDefined();
  stop();
});

test("throws a permanent error immediately without slowing down", async () => {
  const concurrency = openAdaptiveConcurrency();
  const before = concurrency.atOnce;
  const asked = concurrency.run(() => Promise.reject(refusal(422, "recording_empty")));
  await expect(asked).rejects.toMatchObject({ code: "recording_empty" });
  expect(concurrency.atOnce).toBeGreaterThanOrEqual(before);
});

test("an aborted request leaves the queue, the others continue", async () => {
  const concurrency = openAdaptiveConcurrency({ max: 1 });
  const service = openService();
  const end = new AbortController();
  const first = concurrency.run(service.ask);
  const second = concurrency.run(service.ask, { signal: end.signal }).catch((error) => error);
  const third = concurrency.run(service.ask);
  end.abort(new Error("aborted"));
  await pass(100);
  expect([await first, (await second).message, await third]).toEqual(["done", "aborted", "done"]);
  expect(service.starts).toHaveLength(2);
});

test("giving up one request does not block the others", async () => {
  const concurrency = openAdaptiveConcurrency();
  const attempts: number[] = [];
  const asked = concurrency
    .run(() => Promise.reject(refusal(500, "internal")), {
      giveUp: (_, attempt) => attempts.push(attempt) >= 3,
    })
    .catch((error) => error);
  await pass(10_000);
  expect(await asked).toMatchObject({ code: "internal" });
  expect(attempts).toEqual([1, 2, 3]);
  const next = concurrency.run(openService().ask);
  await pass(5_000);
  expect(await next).toBe("done");
});
