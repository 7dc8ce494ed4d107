import { expect } from "vitest";
import { full } from "./sizes.ts";
import { percentile, say } from "./waiting.ts";

/** The most that the others' time may grow: 20 %. */
const LIMIT = 1.2;
const MOST_PAIRS = full ? 15 : 25;
/** How many pairs of windows are looked at before the first look: at full size all of them, for one look. */
const FEWEST_PAIRS = full ? MOST_PAIRS : 5;

/**
 * Measures windows of two kinds in turn, inside one run, for machines differ and drift, and expects the median of what
 * the one kind took to be within 20 % of the other's. Where other work shares the cores, single windows differ by a
 * factor of three, so that windows are added until the medians are as promised, or there are too many. Something a little
 * over the limit may so pass in CI; something far over it does not. At full size there is one look.
 */
export async function expectNoSlower(kinds: {
  readonly what: string;
  readonly calm: () => Promise<number>;
  readonly busy: () => Promise<number>;
}): Promise<void> {
  const calm: number[] = [];
  const busy: number[] = [];
  const medians = () => [percentile(calm, 0.5), percentile(busy, 0.5)] as const;
  const slower = () => medians()[1] > medians()[0] * LIMIT;
  while (calm.length < FEWEST_PAIRS || (slower() && calm.length < MOST_PAIRS)) {
    calm.push(await kinds.calm());
    busy.push(await kinds.busy());
  }
  const list = (values: readonly number[]) => values.map((ms) => ms.toFixed(1)).join(", ");
  const [usual, beside] = medians();
  say(`${kinds.what}: ${list(calm)} ms; beside it: ${list(busy)} ms`);
  say(
    `medians of ${calm.length}: ${usual.toFixed(1)} and ${beside.toFixed(1)} ms, ratio ${(beside / usual).toFixed(2)}`,
  );
  expect(beside / usual).toBeLessThanOrEqual(LIMIT);
}
