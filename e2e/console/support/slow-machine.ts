import type { BrowserContext, Page } from "playwright-core";

/** A line and a machine as some supervisor has them: 10 Mbit/s, 40 ms, a quarter of our processor. */
export async function slowDown(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const throughput = 10_000_000 / 8;
  await browser.send("Network.enable");
  await browser.send("Network.emulateNetworkConditions", {
    ...{ offline: false, latency: 40, downloadThroughput: throughput, uploadThroughput: throughput },
  });
  await browser.send("Emulation.setCPUThrottlingRate", { rate: 4 });
}

/** Some functions that are read and run once, and elements that are laid out: what opening a page is made of. */
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

/** What that work takes, slowed down, on the two cores that the limits were set on, with nothing else to do. */
const quietMs = 1000;

/**
 * How many times longer than there everything takes here and now: machines differ, and others use them. At least 1, so that
 * a limit is never made stricter by it; at most 2, since the line is no slower.
 */
export async function slowness(context: BrowserContext): Promise<number> {
  const page = await context.newPage();
  await slowDown(page);
  const ms = await page.evaluate<number>(work);
  await page.close();
  return Math.min(2, Math.max(1, ms / quietMs));
}
