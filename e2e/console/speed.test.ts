import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importCall, type Service } from "../support/service.ts";
import { full } from "../support/sizes.ts";
import { undisturbed } from "../support/undisturbed.ts";
import { say } from "../support/waiting.ts";
import { type Console, openConsole, signIn } from "./support/console.ts";
import { slowDown, slowness } from "./support/slow-machine.ts";

let world: Console;
let callId: string;
let session: Awaited<ReturnType<BrowserContext["storageState"]>>;

beforeAll(async () => {
  world = await openConsole();
  const { apiKey, campaignId, agentEmail } = world.stack;
  const service: Service = { baseUrl: world.api.baseUrl, apiKey, campaignId, agentEmail };
  for (let n = 0; n < 40; n++) await importCall(service, { conversation_timestamp: String(1_714_557_600 + n * 60) });
  callId = (await importCall(service)).id;
  const page = await world.openPage();
  await signIn(page, world, world.admin);
  session = await page.context().storageState();
});
afterAll(() => world?.close());

/** Of JavaScript, gzipped, with whatever page one begins. */
const mostKb = 250;
/** Until what is largest is there, on a slow line and machine. */
const mostMs = 2_000;

const pages = [
  { name: "sign-in", path: "/sign-in", signedIn: false },
  { name: "calls", path: "/calls", signedIn: true },
  { name: "a call", path: "/calls/CALL", signedIn: true },
  { name: "imports", path: "/imports", signedIn: true },
];

/** Notes what the browser paints and moves. */
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
  readonly scripts: readonly string[];
  readonly slowness: number;
}

/** Opens a page for the first time in a browser that has nothing of it yet. */
async function firstLoad({ path, signedIn }: (typeof pages)[number]): Promise<Load> {
  const page = await world.openPage(signedIn ? { storageState: session } : {});
  const scripts: string[] = [];
  page.on("response", (answer) => {
    if (answer.request().resourceType() === "script") scripts.push(answer.url());
  });
  await slowDown(page);
  await page.addInitScript(watching);
  const before = await slowness(page.context());
  await page.goto(world.url + path.replace("CALL", callId), { waitUntil: "commit" });
  const seen = await whenSettled(page);
  const after = await slowness(page.context());
  await page.context().close();
  return { ...seen, scripts, slowness: (before + after) / 2 };
}

/** What was seen once the page is there and nothing has come for a while. Asked seldom: each question is work for it. */
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

/** The best of three at most: what the machine does beside it only ever adds. */
const best = (loads: readonly Load[]) => Math.min(...loads.map(({ lcp, slowness }) => lcp / slowness));

async function gzippedBytes(scripts: readonly string[]): Promise<number> {
  const sizes = scripts.map(async (url) => gzipSync(await (await fetch(url)).bytes(), { level: 9 }).length);
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}

test("no page needs more JavaScript than that before it can be seen", async () => {
  const site = join(import.meta.dirname, "../../console/dist/site");
  const { pages, texts } = JSON.parse(await readFile(join(site, "first.json"), "utf8"));
  const html = await readFile(join(site, "index.html"), "utf8");
  const start = [...html.matchAll(/src="\/console\/([^"]+)"/g)].map(([, name = ""]) => name);
  const sizes = Object.entries<{ files: string[] }>(pages).map(([path, { files }]) => {
    const scripts = new Set([...start, ...files, ...texts.fr].filter((name) => name.endsWith(".js")));
    const bytes = [...scripts].map((name) => gzipSync(readFileSync(join(site, name)), { level: 9 }).length);
    return { path, bytes: bytes.reduce((sum, size) => sum + size, 0) };
  });
  say(sizes.map(({ path, bytes }) => `${path} ${Math.round(bytes / 1000)} KB`).join(", "));
  expect(sizes.length).toBeGreaterThan(10);
  for (const { path, bytes } of sizes) expect([path, bytes <= mostKb * 1000]).toEqual([path, true]);
});

describe.each(pages)("the first load of $name", (opened) => {
  const loads: Load[] = [];
  beforeAll(async () => {
    while (loads.length < 3 && (full || best(loads) > mostMs)) loads.push(await undisturbed(() => firstLoad(opened)));
  }, 300_000);

  test("brings no more JavaScript than it may, gzipped", async () => {
    const bytes = await gzippedBytes(loads[0]?.scripts ?? []);
    say(`${opened.name}: ${Math.round(bytes / 1024)} KB of JavaScript in ${loads[0]?.scripts.length} files`);
    expect(bytes).toBeGreaterThan(50 * 1024);
    expect(bytes).toBeLessThanOrEqual(mostKb * 1000);
  });

  test("shows what is largest within 2 seconds on a slow line and machine", () => {
    const told = loads.map((load) => `${Math.round(load.lcp)} (at ${load.slowness.toFixed(2)} of the time)`);
    say(`${opened.name}: largest paint after ${told.join(", ")} ms ("${loads[0]?.what}")`);
    expect(best(loads)).toBeGreaterThan(0);
    expect(best(loads)).toBeLessThanOrEqual(mostMs);
  });

  test("moves nothing that is there already", () => {
    const worst = Math.max(...loads.map(({ cls }) => cls));
    say(`${opened.name}: layout shift ${worst.toFixed(4)}`);
    expect(worst, loads.flatMap(({ moved }) => moved).join("; ")).toBeLessThanOrEqual(0.05);
  });
});
