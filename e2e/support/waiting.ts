import { setTimeout as sleep } from "node:timers/promises";

/** Asks again and again until there is a truthy answer, and gives it. Fails with `what` when it takes too long. */
export async function until<T>(
  what: string,
  withinMs: number,
  ask: () => T | Promise<T>,
  everyMs = 25,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleep(everyMs);
  }
}

/** Does `work` with every number from 0 to `count` - 1, at most `lanes` at a time. */
export async function inParallel(count: number, lanes: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  async function lane() {
    while (next < count) await work(next++);
  }
  await Promise.all(Array.from({ length: Math.min(lanes, count) }, lane));
}

/** The smallest value that at least `share` of all values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Says something beside the test's result: its seed, its figures. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
