import { countValues, type Ratings, sum } from "./ratings.ts";

/** Agreement of raters on categories. */
export interface Agreement {
  /** Share of pairs of ratings that agree, weighted if the categories are ordered. */
  readonly raw: number;
  /** Expected agreement by chance, as Gwet defines it. */
  readonly byChance: number;
  /** AC1 or, for ordered categories, AC2: 1 is perfect agreement, 0 is chance. */
  readonly coefficient: number;
}

const pairs = (count: number) => (count * (count - 1)) / 2;

/** Weights of Gwet's AC2: the closer two ordered categories are, the more they agree. */
const ordinalWeight = (k: number, l: number, categories: number) => 1 - pairs(Math.abs(k - l) + 1) / pairs(categories);

/**
 * Gwet's AC1, or AC2 for ordered categories. Unlike α and κ it stays meaningful if almost all calls are in one category. Null: no
 * call was rated twice, or there are fewer than two categories.
 */
export function gwetCoefficient(
  units: readonly Ratings[],
  { categories, ordered }: { readonly categories: readonly number[]; readonly ordered: boolean },
): Agreement | null {
  const size = categories.length;
  const weight = (k: number, l: number) => (ordered ? ordinalWeight(k, l, size) : k === l ? 1 : 0);
  const rated = units.map((ratings) => countValues(ratings, categories)).filter((counts) => sum(counts) > 0);
  const compared = rated.filter((counts) => sum(counts) >= 2);
  if (size < 2 || compared.length === 0) return null;
  const weighted = (counts: readonly number[], k: number) => sum(counts.map((count, l) => weight(k, l) * count));
  const agreementOf = (counts: readonly number[]) => {
    const ratings = sum(counts);
    return sum(counts.map((count, k) => count * (weighted(counts, k) - 1))) / (ratings * (ratings - 1));
  };
  const raw = sum(compared.map(agreementOf)) / compared.length;
  const shares = categories.map((_, k) => sum(rated.map((counts) => (counts[k] ?? 0) / sum(counts))) / rated.length);
  const totalWeight = sum(categories.flatMap((_, k) => categories.map((__, l) => weight(k, l))));
  const byChance = (totalWeight / (size * (size - 1))) * sum(shares.map((share) => share * (1 - share)));
  return { raw, byChance, coefficient: (raw - byChance) / (1 - byChance) };
}
