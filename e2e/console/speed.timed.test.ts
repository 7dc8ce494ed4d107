import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importCall, type Service } from "../support/http/service.ts";
import { retryOnCpuSteal } from "../support/measuring/retry-on-cpu-steal.ts";
import { isRelease, scale } from "../support/run-scale.ts";
import { say } from "../support/waiting.ts";
import { type OwnConsole, openOwnConsole, signIn } from "./support/console.ts";
import { measureSlowdown, throttle } from "./support/throttling.ts";

let world: OwnConsole;
let callId: string;
let session: Awaited<ReturnType<BrowserContext["storageState"]>>;

beforeAll(async () => {
  world = await openOwnConsole();
  const { apiKey, campaignId, agentEmail } = world.stack;
  const service: Service = { baseUrl: world.api.baseUrl, apiKey, campaignId, agentEmail };
  for (let n = 0; n < 40; n++) await importCall(service, { conversation_timestamp: String(1_714_557_600 + n * 60) });
  callId = (await importCall(service)).id;
  const page = await world.openPage();
  await signIn(page, world, world.admin);
  session = await page.context().storageState();
});
afterAll(() => world?.close());

/** Largest contentful paint on a slow network and CPU. */
const mostMs = 2_000;

const pages = [
  { name: "sign-in", path: "/sign-in", signedIn: false },
  { name: "calls", path: "/calls", signedIn: true },
  { name: "a call", path: "/calls/CALL", signedIn: true },
  { name: "imports", path: "/imports", signedIn: true },
  { name: "scores", path: "/scores", signedIn: true },
];

/** Records LCP and layout shifts. */
const watching = `
  window.seen = { lcp: 0, what: "", cls: 0, moved: [] };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      window.seen.lcp = entry.startTime;
      window.seen.what = entry.element?.textContent?.slice(0, 40) ?? "";
    }
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      window.seen.cls += entry.value;
      window.seen.moved.push(...entry.sources.map(({ node }) => node?.className ?? node?.nodeName));
    }
  }).observe({ type: "layout-shift", buffered: true });
`;

interface Seen {
  readonly lcp: number;
  readonly what: string;
  readonly cls: number;
  readonly moved: readonly string[];
}

interface Load extends Seen {
  readonly slowness: number;
}

/** Loads a page with an empty cache. */
async function firstLoad({ path, signedIn }: (typeof pages)[number]): Promise<Load> {
  const page = await world.openPage(signedIn ? { storageState: session } : {});
  await throttle(page);
  await page.addInitScript(watching);
  const before = await measureSlowdown(page.context());
  await page.goto(world.url + path.replace("CALL", callId), { waitUntil: "commit" });
  const seen = await whenSettled(page);
  const after = await measureSlowdown(page.context());
  await page.context().close();
  return { ...seen, slowness: (before + after) / 2 };
}

/** Metrics once the page is idle. Polled rarely, because each evaluation costs CPU. */
async function whenSettled(page: Page): Promise<Seen> {
  const quietMs =
    "performance.now() - Math.max(...performance.getEntriesByType('resource').map((one) => one.responseEnd))";
  const there = `document.querySelector("h1") !== null && ${quietMs} > 1500`;
  for (let before = 0; ; ) {
    await sleep(2_000);
    const { settled, ...seen } = await page.evaluate<Seen & { settled: boolean }>(`({ ...seen, settled: ${there} })`);
    if (settled && seen.lcp > 0 && seen.lcp === before) return seen;
    before = seen.lcp;
  }
}

/** Best of several: other load only adds time. */
const best = (loads: readonly Load[]) => Math.min(...loads.map(({ lcp, slowness }) => lcp / slowness));

describe.each(pages)("first load of $name", (opened) => {
  const loads: Load[] = [];
  beforeAll(async () => {
    while (loads.length < scale(6, 6, 3) && (isRelease || best(loads) > mostMs))
      loads.push(await retryOnCpuSteal(() => firstLoad(opened)));
  }, 300_000);

  test("has its largest contentful paint within 2 seconds on a slow network and CPU", () => {
    const timings = loads.map((load) => `${Math.round(load.lcp)} (at ${load.slowness.toFixed(2)} of the time)`);
    say(`${opened.name}: largest paint after ${timings.join(", ")} ms ("${loads[0]?.what}")`);
    expect(best(loads)).toBeGreaterThan(0);
    expect(best(loads)).toBeLessThanOrEqual(mostMs);
  });

  test("has no layout shifts", () => {
    const worst = Math.max(...loads.map(({ cls }) => cls));
    say(`${opened.name}: layout shift ${worst.toFixed(4)}`);
    expect(worst, loads.flatMap(({ moved }) => moved).join("; ")).toBeLessThanOrEqual(0.05);
  });
});
