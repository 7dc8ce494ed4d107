/** A numerator over a denominator that all shares of one division have in common. */
export interface Share {
  /** Breaks ties between equal remainders: the smaller id gets the unit. */
  readonly id: string;
  readonly numerator: bigint;
}

/**
 * Rounds shares to integers that add up to `total` exactly (largest remainder method): each is rounded down, and the
 * units that are left go to the largest remainders.
 */
export function roundToTotal(
  shares: readonly Share[],
  denominator: bigint,
  total: number,
): ReadonlyMap<string, number> {
  const rounded = shares.map(({ id, numerator }) => ({
    id,
    units: Number(numerator / denominator),
    remainder: numerator % denominator,
  }));
  const left = total - rounded.reduce((sum, share) => sum + share.units, 0);
  const byRemainder = rounded.toSorted((a, b) =>
    a.remainder === b.remainder ? (a.id < b.id ? -1 : 1) : a.remainder > b.remainder ? -1 : 1,
  );
  const raised = new Set(byRemainder.slice(0, left).map((share) => share.id));
  return new Map(rounded.map(({ id, units }) => [id, units + (raised.has(id) ? 1 : 0)]));
}
