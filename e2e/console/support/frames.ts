import type { CDPSession, Page } from "playwright-core";

/** How a scroll looked, as parts of the frames that should have been there. */
export interface Frames {
  readonly wanted: number;
  /** Not drawn in time, for whatever reason. */
  readonly dropped: number;
  /** Not drawn because the page itself kept its thread too long: what would be dropped on a machine of its own, as fast as ours. */
  readonly byPage: number;
  /** How long the page's thread works for a frame. */
  readonly workMs: number;
  readonly slowness: number;
}

const frameMs = 1000 / 60;

export interface Scroll {
  readonly pixels: number;
  /** Pixels in a second. */
  readonly speed: number;
  /** How many times longer than on the machine that limits were set on everything takes here and now. */
  readonly slowness: number;
}

/** Scrolls down by so many pixels as a wheel does, again and again until that far, and looks at the frames meanwhile. */
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
  // Frames are asked for one after the other, as an animation does.
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
  /** In microseconds. */
  readonly ts: number;
  /** What the thread itself worked of it. */
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
  const dropped = starts.reduce((sum, start, place) => sum + missed(start - (starts[place - 1] ?? start)), 0);
  const wanted = starts.length + dropped;
  const byPage = work.reduce((sum, ms) => sum + Math.floor(ms / slowness / frameMs), 0);
  const worked = work.reduce((sum, ms) => sum + ms, 0);
  return { wanted, dropped: dropped / wanted, byPage: byPage / wanted, workMs: worked / wanted, slowness };
}

/** What the page's scripts hold, and the elements there are, after everything unused was given back. */
export async function memoryOf(page: Page): Promise<{ readonly heap: number; readonly nodes: number }> {
  const client: CDPSession = await page.context().newCDPSession(page);
  await client.send("Performance.enable");
  for (let round = 0; round < 3; round++) await client.send("HeapProfiler.collectGarbage");
  const { usedSize: heap } = await client.send("Runtime.getHeapUsage");
  const { metrics } = await client.send("Performance.getMetrics");
  await client.detach();
  return { heap, nodes: metrics.find(({ name }) => name === "Nodes")?.value ?? 0 };
}
