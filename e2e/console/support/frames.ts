import type { CDPSession, Page } from "playwright-core";

/** Scroll performance, as shares of the expected frames. */
export interface Frames {
  readonly wanted: number;
  readonly dropped: number;
  /** Dropped because the page blocked its main thread, normalised to the reference machine. */
  readonly byPage: number;
  /** Main thread time per frame. */
  readonly workMs: number;
  readonly slowness: number;
}

const frameMs = 1000 / 60;

export interface Scroll {
  readonly pixels: number;
  /** Pixels per second. */
  readonly speed: number;
  /** Slowdown compared with the reference machine. */
  readonly slowness: number;
}

/** Scrolls by that many pixels with wheel gestures and counts the frames. */
export async function scrollAndCount(
  page: Page,
  selector: string,
  { pixels, speed, slowness }: Scroll,
): Promise<Frames> {
  const browser = page.context().browser();
  const box = await page.locator(selector).boundingBox();
  if (!box || !browser) throw new Error(`there is no ${selector}`);
  const client = await page.context().newCDPSession(page);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const top = () => page.evaluate<number>(`document.querySelector(${JSON.stringify(selector)}).scrollTop`);
  const goal = (await top()) + pixels;
  // Requests a frame continuously, like an animation.
  await page.evaluate(
    "{ const on = () => { window.stopped || requestAnimationFrame(on) }; window.stopped = false; on(); }",
  );
  await browser.startTracing(page, { categories: ["devtools.timeline", "disabled-by-default-devtools.timeline"] });
  for (let now = await top(); now < goal - 40; now = await top()) {
    const yDistance = -Math.min(goal - now, speed * 2);
    await client.send("Input.synthesizeScrollGesture", { x, y, yDistance, speed, gestureSourceType: "mouse" });
  }
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  await page.evaluate("window.stopped = true");
  await client.detach();
  return count(traceEvents, slowness);
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  /** CPU time of the thread. */
  readonly tdur?: number;
}

function count(events: readonly TraceEvent[], slowness: number): Frames {
  const threads = Map.groupBy(events, ({ pid, tid }) => `${pid} ${tid}`);
  const framesOf = (of: readonly TraceEvent[]) => of.filter(({ name }) => name === "FireAnimationFrame");
  const [thread = []] = [...threads.values()].sort((a, b) => framesOf(b).length - framesOf(a).length);
  const starts = framesOf(thread)
    .map(({ ts }) => ts / 1000)
    .sort((a, b) => a - b);
  const work = starts.map(() => 0);
  for (const { name, ts, tdur = 0 } of thread) {
    if (name !== "RunTask") continue;
    const frame = starts.findIndex((start) => start > ts / 1000);
    if (frame > 0) work[frame] = (work[frame] ?? 0) + tdur / 1000;
  }
  const missed = (ms: number) => Math.max(0, Math.round(ms / frameMs) - 1);
  const dropped = starts.reduce((sum, start, index) => sum + missed(start - (starts[index - 1] ?? start)), 0);
  const wanted = starts.length + dropped;
  const byPage = work.reduce((sum, ms) => sum + Math.floor(ms / slowness / frameMs), 0);
  const worked = work.reduce((sum, ms) => sum + ms, 0);
  return { wanted, dropped: dropped / wanted, byPage: byPage / wanted, workMs: worked / wanted, slowness };
}

/** Heap size and DOM nodes after garbage collection. */
export async function memoryOf(page: Page): Promise<{ readonly heap: number; readonly nodes: number }> {
  const client: CDPSession = await page.context().newCDPSession(page);
  await client.send("Performance.enable");
  for (let round = 0; round < 3; round++) await client.send("HeapProfiler.collectGarbage");
  const { usedSize: heap } = await client.send("Runtime.getHeapUsage");
  const { metrics } = await client.send("Performance.getMetrics");
  await client.detach();
  return { heap, nodes: metrics.find(({ name }) => name === "Nodes")?.value ?? 0 };
}
