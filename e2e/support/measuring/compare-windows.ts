import { expect } from "vitest";
import { full } from "../run-scale.ts";
import { percentile, say } from "../waiting.ts";

/** Maximum growth: 20 %. */
const LIMIT = 1.2;
const MOST_PAIRS = full ? 15 : 25;
/** Pairs of windows before the first evaluation. At full size: all of them, for a single evaluation. */
const FEWEST_PAIRS = full ? MOST_PAIRS : 3;

/**
 * Alternates two kinds of windows within one run, because machines differ and drift, and expects their medians to be within
 * 20 %. On shared cores single windows differ by a factor of 3, so windows are added until the medians are within the limit
 * or a maximum is reached. A result slightly over the limit may pass in CI. At full size there is one evaluation.
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
  say(`${kinds.what}: ${list(calm)} ms; under load: ${list(busy)} ms`);
  say(
    `medians of ${calm.length}: ${usual.toFixed(1)} and ${beside.toFixed(1)} ms, ratio ${(beside / usual).toFixed(2)}`,
  );
  expect(beside / usual).toBeLessThanOrEqual(LIMIT);
}
