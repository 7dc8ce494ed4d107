import { setTimeout as sleep } from "node:timers/promises";
import { createClient, ServiceError } from "@hearback/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scale } from "../support/run-scale.ts";
import { type CountingProxy, openCountingProxy } from "../support/servers/counting-proxy.ts";
import { freePort } from "../support/stack/free-port.ts";
import { type ApiProcess, openStack, type Stack, unlimited } from "../support/stack/stack.ts";
import { percentile, say } from "../support/waiting.ts";

const clients = scale(50, 50, 200);
const outageMs = scale(5_000, 10_000, 60_000);
const steadyMs = scale(3_000, 5_000, 15_000);
/** Longer than the longest backoff. */
const watchedMs = 20_000;
/** A lower think time would measure the machine's limit instead of the clients' rate. */
const thinkMs = 1_000;

let stack: Stack;
beforeAll(async () => {
  stack = await openStack(undefined, unlimited);
});
afterAll(() => stack?.stop());

/** A service behind a proxy. Both can be taken down. */
interface Service {
  api: ApiProcess;
  readonly proxy: CountingProxy;
}

async function startService(): Promise<Service> {
  const api = await stack.startApi({ port: await freePort() });
  const proxy = await openCountingProxy(api.port);
  await proxy.open();
  return { api, proxy };
}

/** Independent clients that send a request, wait, and repeat. */
function startClients(proxy: CountingProxy) {
  const stop = new AbortController();
  const answeredAt: number[][] = [];
  let failures = 0;
  const lanes = Array.from({ length: clients }, async (_, at) => {
    const client = createClient({ baseUrl: proxy.baseUrl, apiKey: stack.apiKey });
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

interface Outage {
  readonly begin: (service: Service) => Promise<void>;
  readonly end: (service: Service) => Promise<void>;
}

const outages: [string, Outage][] = [
  [
    "with a restart of the service",
    {
      async begin({ proxy, api }) {
        await Promise.all([proxy.shut(), api.stop()]);
      },
      async end(service) {
        service.api = await stack.startApi({ port: service.api.port });
        await service.proxy.open();
      },
    },
  ],
  ["with a proxy that returns 503", { begin: async ({ proxy }) => proxy.excuse(), end: ({ proxy }) => proxy.open() }],
];

// Both at the same time: they mostly wait.
test.concurrent.each(outages)(
  `${clients} clients do not flood the service after an outage of ${outageMs / 1000} s %s`,
  {
    timeout: 240_000,
  },
  async (_, outage) => {
    const service = await startService();
    const { proxy } = service;
    const arrivedIn = (from: number, ms: number) => proxy.arrivals.filter((at) => at >= from && at < from + ms).length;
    /** Maximum number of requests in any one-second window. */
    const busiestSecond = (from: number, ms: number) =>
      Math.max(...Array.from({ length: (ms - 1_000) / 100 }, (_, tenth) => arrivedIn(from + tenth * 100, 1_000)));
    const asking = startClients(proxy);
    await sleep(2_000);
    const began = performance.now();
    await sleep(steadyMs);
    const steady = arrivedIn(began, steadyMs) / (steadyMs / 1000);

    const down = performance.now();
    await outage.begin(service);
    await sleep(outageMs);
    await outage.end(service);
    const back = performance.now();
    await sleep(watchedMs);
    await asking.stop();
    await proxy.shut();

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
    // For a change: on a machine that other tests keep busy, clients wait for it before the outage.
    const usual = scale(Math.max(steady, (clients * 1_000) / thinkMs), steady, steady);
    expect(first).toBeLessThanOrEqual(2 * usual);
    expect(busiest).toBeLessThanOrEqual(2 * usual);
    expect(Math.max(...answeredAfterMs)).toBeLessThan(watchedMs);
    if (outageMs <= 30_000) expect(asking.failures()).toBe(0);
  },
);
