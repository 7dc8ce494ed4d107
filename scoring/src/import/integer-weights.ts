import { questionLimits } from "../limits.ts";

/** An exact weight: numerator / denominator. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** The decimal number as it is written, such as 33.4, with up to ten decimals. */
export function decimalFraction(value: number): Fraction {
  const denominator = 10n ** 10n;
  return { numerator: BigInt(value.toFixed(10).replace(".", "")), denominator };
}

export interface IntegerWeights {
  readonly weights: readonly number[];
  /** unchanged: the same numbers. scaled: in the same proportion. rounded: the proportion had to change. */
  readonly kind: "unchanged" | "scaled" | "rounded";
}

/** Turns weights into integers of the allowed size in the same proportion, if there are any. */
export function integerWeights(fractions: readonly Fraction[]): IntegerWeights {
  const common = fractions.reduce((multiple, { denominator }) => leastCommonMultiple(multiple, denominator), 1n);
  const whole = fractions.map(({ numerator, denominator }) => numerator * (common / denominator));
  const limit = BigInt(questionLimits.weight);
  const fits = (weights: readonly bigint[]) => weights.every((weight) => weight <= limit);
  if (whole.every((weight) => weight % common === 0n)) {
    const weights = whole.map((weight) => weight / common);
    if (fits(weights)) return { weights: weights.map(Number), kind: "unchanged" };
  }
  const divisor = whole.reduce(greatestCommonDivisor, 0n) || 1n;
  const reduced = whole.map((weight) => weight / divisor);
  if (fits(reduced)) return { weights: reduced.map(Number), kind: "scaled" };
  const largest = reduced.reduce((max, weight) => (weight > max ? weight : max));
  const rounded = reduced.map((weight) => {
    const nearest = (2n * weight * limit + largest) / (2n * largest);
    return weight > 0n && nearest === 0n ? 1 : Number(nearest);
  });
  return { weights: rounded, kind: "rounded" };
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}

function leastCommonMultiple(a: bigint, b: bigint): bigint {
  return (a / greatestCommonDivisor(a, b)) * b;
}
