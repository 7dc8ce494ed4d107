import type { BrowserContext, Page } from "playwright-core";

/** Slow network and CPU: 10 Mbit/s, 40 ms, CPU at a quarter. */
export async function throttle(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const throughput = 10_000_000 / 8;
  await browser.send("Network.enable");
  await browser.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 40,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  await browser.send("Emulation.setCPUThrottlingRate", { rate: 4 });
}

/** Reference workload: compile and run functions, create and lay out elements. */
const work = `(() => {
  const began = performance.now();
  const functions = Array.from({ length: 1500 }, (_, n) =>
    "(a) => { const list = []; for (let i = 0; i < 40; i++) list.push({ ['k' + i]: a * i + " + n + " }); return list.map((x) => JSON.stringify(x)).join('') }");
  const [first] = (0, eval)("[" + functions.join(",") + "]").map((run, n) => run(n));
  for (let n = 0; n < 1500; n++) {
    const row = document.createElement("p");
    row.style.cssText = "display:flex;gap:" + (n % 7) + "px";
    row.append(...["one", "two", first.slice(n % 50, 60)].map((text) => Object.assign(document.createElement("span"), { textContent: text })));
    document.body.append(row);
  }
  document.body.getBoundingClientRect();
  return performance.now() - began;
})()`;

/** Duration of the workload on the reference machine (two cores, idle), throttled. */
const referenceMs = 1000;

/**
 * Slowdown compared with the reference machine. At least 1, so that limits never get stricter; at most 2, because the
 * network is not slower.
 */
export async function measureSlowdown(context: BrowserContext): Promise<number> {
  const page = await context.newPage();
  await throttle(page);
  const ms = await page.evaluate<number>(work);
  await page.close();
  return Math.min(2, Math.max(1, ms / referenceMs));
}
