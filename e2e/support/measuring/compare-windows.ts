import { expect } from "vitest";
import { scale } from "../run-scale.ts";
import { percentile, say } from "../waiting.ts";

interface Comparison {
  /** Maximum growth. */
  readonly limit: number;
  /** Pairs of windows before the first evaluation. At full size: all of them, for a single evaluation. */
  readonly fewestPairs: number;
  readonly mostPairs: number;
}

/** For tests that run alone. */
const within20Percent: Comparison = { limit: 1.2, fewestPairs: scale(3, 3, 15), mostPairs: scale(25, 25, 15) };
/** For tests that run beside others. */
export const withinFactor3: Comparison = { limit: 3, fewestPairs: 1, mostPairs: 5 };

/**
 * Alternates two kinds of windows within one run, because machines differ and drift, and expects their medians to be within
 * a limit. On shared cores single windows differ by a factor of 3, so windows are added until the medians are within the limit
 * or a maximum is reached. A result slightly over the limit may pass in CI. At full size there is one evaluation.
 */
export async function expectNoSlower(
  kinds: {
    readonly what: string;
    readonly calm: () => Promise<number>;
    readonly busy: () => Promise<number>;
  },
  { limit, fewestPairs, mostPairs }: Comparison = within20Percent,
): Promise<void> {
  const calm: number[] = [];
  const busy: number[] = [];
  const medians = () => [percentile(calm, 0.5), percentile(busy, 0.5)] as const;
  const slower = () => medians()[1] > medians()[0] * limit;
  while (calm.length < fewestPairs || (slower() && calm.length < mostPairs)) {
    calm.push(await kinds.calm());
    busy.push(await kinds.busy());
  }
  const list = (values: readonly number[]) => values.map((ms) => ms.toFixed(1)).join(", ");
  const [usual, beside] = medians();
  say(`${kinds.what}: ${list(calm)} ms; under load: ${list(busy)} ms`);
  say(
    `medians of ${calm.length}: ${usual.toFixed(1)} and ${beside.toFixed(1)} ms, ratio ${(beside / usual).toFixed(2)}`,
  );
  expect(beside / usual).toBeLessThanOrEqual(limit);
}
