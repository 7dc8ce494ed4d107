import { setTimeout as sleep } from "node:timers/promises";
import { createClient, ServiceError } from "@hearback/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CountingGate, openCountingGate } from "../support/counting-gate.ts";
import { full } from "../support/sizes.ts";
import { type ApiProcess, freePort, openStack, type Stack, unlimited } from "../support/stack.ts";
import { percentile, say } from "../support/waiting.ts";

const clients = full ? 200 : 50;
const outageMs = full ? 60_000 : 10_000;
const steadyMs = full ? 15_000 : 5_000;
/** Long enough for the longest pause between two attempts. */
const watchedMs = 20_000;
/** Clients that ask more often are slowed down by the machine, and what is steady would be its limit, not theirs. */
const thinkMs = 1_000;

let stack: Stack;
let api: ApiProcess;
let gate: CountingGate;

beforeAll(async () => {
  stack = await openStack(undefined, unlimited);
  api = await stack.startApi({ port: await freePort() });
  gate = await openCountingGate(api.port);
  await gate.open();
});
afterAll(async () => {
  await gate?.shut();
  await stack?.stop();
});

/** Clients that know nothing of each other, each of which asks, thinks for a while, and asks again. */
function startClients() {
  const stop = new AbortController();
  const answeredAt: number[][] = [];
  let failures = 0;
  const lanes = Array.from({ length: clients }, async (_, at) => {
    const client = createClient({ baseUrl: gate.baseUrl, apiKey: stack.apiKey });
    const mine: number[] = [];
    answeredAt[at] = mine;
    await sleep(Math.random() * thinkMs);
    while (!stop.signal.aborted) {
      try {
        await client.limits.find({ signal: stop.signal });
        mine.push(performance.now());
      } catch (error) {
        if (stop.signal.aborted) return;
        if (!(error instanceof ServiceError)) throw error;
        failures++;
      }
      await sleep(thinkMs * (0.5 + Math.random()));
    }
  });
  return {
    answeredAt,
    failures: () => failures,
    async stop() {
      stop.abort();
      await Promise.all(lanes);
    },
  };
}

const arrivedIn = (from: number, ms: number) => gate.arrivals.filter((at) => at >= from && at < from + ms).length;

/** The second with the most requests, wherever it begins. */
const busiestSecond = (from: number, ms: number) =>
  Math.max(...Array.from({ length: (ms - 1_000) / 100 }, (_, tenth) => arrivedIn(from + tenth * 100, 1_000)));

const outages: [string, { begin: () => Promise<void>; end: () => Promise<void> }][] = [
  [
    "in which the service is stopped and started again",
    {
      async begin() {
        await Promise.all([gate.shut(), api.stop()]);
      },
      async end() {
        api = await stack.startApi({ port: api.port });
        await gate.open();
      },
    },
  ],
  ["in which a proxy asks to wait", { begin: async () => gate.excuse(), end: () => gate.open() }],
];

test.each(outages)(
  `${clients} clients do not flood the service after an outage of ${outageMs / 1000} s %s`,
  {
    timeout: 240_000,
  },
  async (_, outage) => {
    const asking = startClients();
    await sleep(2_000);
    const began = performance.now();
    await sleep(steadyMs);
    const steady = arrivedIn(began, steadyMs) / (steadyMs / 1000);

    const down = performance.now();
    await outage.begin();
    await sleep(outageMs);
    await outage.end();
    const back = performance.now();
    await sleep(watchedMs);
    await asking.stop();

    const first = arrivedIn(back, 1_000);
    const busiest = busiestSecond(back, watchedMs);
    const answeredAfterMs = asking.answeredAt.map((times) => (times.find((at) => at > back) ?? Infinity) - back);
    const tenths = Array.from({ length: 10 }, (_, tenth) => arrivedIn(back + tenth * 100, 100));
    say(
      [
        `${clients} clients, ${steady.toFixed(0)} requests a second before the outage of ${((back - down) / 1000).toFixed(0)} s`,
        `  the second after it ${first} (${(first / steady).toFixed(2)} of that), by tenths ${tenths.join(" ")}`,
        `  the busiest second of the ${watchedMs / 1000} after it ${busiest} (${(busiest / steady).toFixed(2)})`,
        `  answered again after ${(percentile(answeredAfterMs, 0.5) / 1000).toFixed(1)} s (half of them), ` +
          `${(Math.max(...answeredAfterMs) / 1000).toFixed(1)} s (all); ${asking.failures()} requests failed`,
      ].join("\n"),
    );
    expect(first).toBeLessThanOrEqual(2 * steady);
    expect(busiest).toBeLessThanOrEqual(2 * steady);
    expect(Math.max(...answeredAfterMs)).toBeLessThan(watchedMs);
    if (outageMs <= 30_000) expect(asking.failures()).toBe(0);
  },
);
