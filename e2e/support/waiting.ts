import { setTimeout as sleep } from "node:timers/promises";

/** Polls until the result is truthy and returns it. Throws with `what` on timeout. */
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
    if (Date.now() > deadline) throw new Error(`timeout after ${withinMs} ms: ${what}`);
    await sleep(everyMs);
  }
}

/** Runs `work` for 0 to `count` - 1 with at most `workers` in parallel. */
export async function inParallel(
  count: number,
  workers: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  async function worker() {
    while (next < count) await work(next++);
  }
  await Promise.all(Array.from({ length: Math.min(workers, count) }, worker));
}

/** The percentile `share` (0 to 1) of the values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Prints a line next to the test's result, such as its seed or measurements. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
