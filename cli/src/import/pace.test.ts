import { ServiceError } from "@hearback/sdk";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openPace } from "./pace.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const refusal = (status: number, code = "unavailable", retryAfterMs?: number) =>
  new ServiceError(code, { status, code, retryAfterMs, attempts: 1, nothingDone: true });
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A service that takes a while, and does as it is told. */
function openService(latencyMs = 20) {
  const starts: number[] = [];
  const service = {
    starts,
    fault: undefined as ServiceError | undefined,
    underWay: 0,
    mostUnderWay: 0,
    async ask(): Promise<string> {
      starts.push(performance.now());
      service.mostUnderWay = Math.max(service.mostUnderWay, ++service.underWay);
      await after(latencyMs);
      service.underWay--;
      if (service.fault) throw service.fault;
      return "done";
    },
    between: (from: number, to: number) => starts.filter((at) => at >= from && at < to).length,
  };
  return service;
}

/** Lanes that always have more to send. */
function keepSending(pace: ReturnType<typeof openPace>, ask: () => Promise<string>, lanes: number) {
  const end = new AbortController();
  const lane = async () => {
    while (!end.signal.aborted) await pace.run(ask, { signal: end.signal }).catch(() => {});
  };
  for (let number = 0; number < lanes; number++) void lane();
  return () => end.abort();
}

test("begins with 4 at once and grows to what is allowed, not further", async () => {
  const pace = openPace({ most: 12 });
  const service = openService();
  const stop = keepSending(pace, service.ask, 30);
  await pass(1);
  expect(service.underWay).toBe(4);
  await pass(1_000);
  expect([pace.atOnce, service.mostUnderWay]).toEqual([12, 12]);
  stop();
});

test.each([
  ["cannot answer", refusal(503, "database_unavailable", 5_000)],
  ["asks to go slower", refusal(429, "too_many_uploads", 5_000)],
])("when the service %s all wait as long as it says, then one goes ahead", async (_, fault) => {
  const pace = openPace();
  const service = openService();
  const stop = keepSending(pace, service.ask, 16);
  await pass(1_000);
  service.fault = fault;
  await pass(40);
  const [from, until] = [performance.now(), performance.now() + 4_900];
  await pass(4_900);
  expect(service.between(from, until)).toBe(0);
  expect(pace.waiting).toContain("trying again in 1 s");
  await pass(700);
  expect(service.between(until, Number.POSITIVE_INFINITY)).toBe(1);
  service.fault = undefined;
  await pass(20_000);
  expect(pace.waiting).toBeUndefined();
  expect(pace.atOnce).toBe(16);
  stop();
});

test("pauses become longer while nothing answers, up to half a minute", async () => {
  const pace = openPace();
  const service = openService();
  service.fault = new ServiceError(
    "No answer",
    { status: 0, code: "unreachable", attempts: 1, nothingDone: true },
    {
      cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }),
    },
  );
  const stop = keepSending(pace, service.ask, 16);
  await pass(200_000);
  expect(pace.waiting).toMatch(/^the service cannot be reached \(connection refused\); trying again( in \d+ s)?$/);
  const pauses = service.starts.slice(4).map((at, index, all) => at - (all[index - 1] ?? at));
  expect(Math.max(...pauses)).toBeLessThanOrEqual(30_100);
  expect(pauses.at(-1)).toBeGreaterThan(14_000);
  stop();
});

test.each([1, 2, 3, 4, 5])("a service that comes back is not met by more than before (%i)", async () => {
  const pace = openPace();
  const service = openService();
  const stop = keepSending(pace, service.ask, 40);
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

test("a limit of requests a second is learned, so that little time is lost by refusals", async () => {
  const pace = openPace();
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
  const stop = keepSending(pace, ask, 16);
  await pass(20_000);
  const before = [taken, refused];
  await pass(120_000);
  expect(taken - (before[0] ?? 0)).toBeGreaterThan(0.88 * 120 * perSecond);
  expect(refused - (before[1] ?? 0)).toBeLessThan(60);
  stop();
});

test("gives up when nothing succeeded for as long as it has patience", async () => {
  const pace = openPace({ patienceMs: 600_000 });
  const service = openService();
  service.fault = refusal(503);
  const given = Promise.all([1, 2, 3].map(() => pace.run(service.ask).catch((error) => error)));
  await pass(599_000);
  expect(service.starts.length).toBeGreaterThan(10);
  await pass(62_000);
  for (const error of await given)
    expect(error).toMatchObject({ exitCode: 4, message: expect.stringContaining("for 10 min") });
  await expect(pace.run(service.ask)).rejects.toMatchObject({ exitCode: 4 });
});

test("a success in between renews the patience", async () => {
  const pace = openPace({ patienceMs: 60_000 });
  const service = openService();
  const stop = keepSending(pace, service.ask, 4);
  for (let outage = 0; outage < 5; outage++) {
    service.fault = refusal(503);
    await pass(40_000);
    service.fault = undefined;
    await pass(40_000);
  }
  expect(pace.waiting).toBeUndefined();
  await expect(Promise.all([pace.run(service.ask), pass(1_000)])).resolves.toBeDefined();
  stop();
});

test("a refusal for good is thrown at once, and is no reason to go slower", async () => {
  const pace = openPace();
  const before = pace.atOnce;
  const asked = pace.run(() => Promise.reject(refusal(422, "recording_empty")));
  await expect(asked).rejects.toMatchObject({ code: "recording_empty" });
  expect(pace.atOnce).toBeGreaterThanOrEqual(before);
});

test("whoever is told to stop leaves, and the others go on", async () => {
  const pace = openPace({ most: 1 });
  const service = openService();
  const end = new AbortController();
  const first = pace.run(service.ask);
  const second = pace.run(service.ask, { signal: end.signal }).catch((error) => error);
  const third = pace.run(service.ask);
  end.abort(new Error("enough"));
  await pass(100);
  expect([await first, (await second).message, await third]).toEqual(["done", "enough", "done"]);
  expect(service.starts).toHaveLength(2);
});

test("work that is given up lets the rest go on", async () => {
  const pace = openPace();
  const attempts: number[] = [];
  const asked = pace
    .run(() => Promise.reject(refusal(500, "internal")), {
      giveUp: (_, attempt) => attempts.push(attempt) >= 3,
    })
    .catch((error) => error);
  await pass(10_000);
  expect(await asked).toMatchObject({ code: "internal" });
  expect(attempts).toEqual([1, 2, 3]);
  const next = pace.run(openService().ask);
  await pass(5_000);
  expect(await next).toBe("done");
});
