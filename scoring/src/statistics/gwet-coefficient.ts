import { comparedUnits, countCalls, type RatedUnit, type Statistic, sum } from "./ratings.ts";

interface Categories {
  /** How many categories raters can choose from. Ordered ones are numbered from 0. */
  readonly categories: number;
  readonly ordered: boolean;
}

type Weight = (k: number, l: number) => number;

const pairs = (count: number) => (count * (count - 1)) / 2;

const identityWeight: Weight = (k, l) => (k === l ? 1 : 0);

/** Weights of Gwet's AC2: the closer two ordered categories are, the more they agree. */
const ordinalWeight =
  (categories: number): Weight =>
  (k, l) =>
    1 - pairs(Math.abs(k - l) + 1) / pairs(categories);

/** Share of the pairs of ratings of one call that agree. */
function agreementOf({ counts, size }: RatedUnit, weight: Weight): number {
  let agreeing = 0;
  for (const [k, count] of counts) {
    let weighted = 0;
    for (const [l, other] of counts) weighted += weight(k, l) * other;
    agreeing += count * (weighted - 1);
  }
  return agreeing / (size * (size - 1));
}

/** Raw agreement: the share of pairs of ratings that are equal, averaged over the calls that were rated twice or more. */
export const rawAgreement = (units: readonly RatedUnit[]): Statistic => meanAgreement(units, identityWeight);

function meanAgreement(units: readonly RatedUnit[], weight: Weight): Statistic {
  const compared = comparedUnits(units);
  const calls = countCalls(compared);
  const total = sum(compared.map((unit) => unit.calls * agreementOf(unit, weight)));
  return {
    value: calls > 0 ? total / calls : null,
    without: (unit) => {
      const isCompared = unit.size >= 2;
      const left = isCompared ? calls - 1 : calls;
      return left > 0 ? (total - (isCompared ? agreementOf(unit, weight) : 0)) / left : null;
    },
  };
}

/**
 * Gwet's AC1, or AC2 for ordered categories: 1 is perfect agreement, 0 is chance. Unlike α and κ it stays meaningful if almost all
 * calls are in one category. Null: no call was rated twice, or there are fewer than two categories.
 */
export function gwetCoefficient(units: readonly RatedUnit[], { categories, ordered }: Categories): Statistic {
  if (categories < 2) return { value: null, without: () => null };
  const agreement = meanAgreement(units, ordered ? ordinalWeight(categories) : identityWeight);
  const totalWeight = ordered ? sumOfWeights(categories) : categories;
  const calls = countCalls(units);
  // By category, the sum over calls of its share of the call's ratings.
  const shares = new Map<number, number>();
  for (const { counts, size, calls: times } of units)
    for (const [k, count] of counts) shares.set(k, (shares.get(k) ?? 0) + (times * count) / size);
  const squares = sum([...shares.values()].map((share) => share ** 2));
  const coefficient = (raw: number | null, rated: number, sumOfSquares: number) => {
    if (raw === null || rated === 0) return null;
    const byChance = (totalWeight / (categories * (categories - 1))) * (1 - sumOfSquares / rated ** 2);
    return (raw - byChance) / (1 - byChance);
  };
  return {
    value: coefficient(agreement.value, calls, squares),
    without: (unit) => {
      let left = squares;
      for (const [k, count] of unit.counts) {
        const share = shares.get(k) ?? 0;
        left += (share - count / unit.size) ** 2 - share ** 2;
      }
      return coefficient(agreement.without(unit), calls - 1, left);
    },
  };
}

function sumOfWeights(categories: number): number {
  const weight = ordinalWeight(categories);
  const places = Array.from({ length: categories }, (_, place) => place);
  return sum(places.flatMap((k) => places.map((l) => weight(k, l))));
}
