import { sum } from "./ratings.ts";

const mean = (numbers: readonly number[]) => sum(numbers) / numbers.length;

/** Mean squares of the two-way analysis of variance: between calls, between raters, and the rest. */
export function meanSquares(scores: readonly (readonly number[])[]) {
  const calls = scores.length;
  const raters = scores[0]?.length ?? 0;
  const all = scores.flat();
  const overall = mean(all);
  const squares = (means: readonly number[], each: number) => each * sum(means.map((value) => (value - overall) ** 2));
  const betweenCalls = squares(scores.map(mean), raters);
  const raterMeans = Array.from({ length: raters }, (_, rater) => mean(scores.map((row) => row[rater] ?? 0)));
  const betweenRaters = squares(raterMeans, calls);
  return {
    calls: betweenCalls / (calls - 1),
    raters: betweenRaters / (raters - 1),
    rest: (squares(all, 1) - betweenCalls - betweenRaters) / ((calls - 1) * (raters - 1)),
  };
}

/**
 * ICC(2,1) after Shrout and Fleiss: agreement of reviewers on total scores, if every reviewer scored every call. Rows are calls. Null:
 * fewer than two calls or reviewers, or no variation.
 */
export function intraclassCorrelation(scores: readonly (readonly number[])[]): number | null {
  const n = scores.length;
  const k = scores[0]?.length ?? 0;
  if (n < 2 || k < 2 || scores.some((row) => row.length !== k)) return null;
  const { calls, raters, rest } = meanSquares(scores);
  const total = calls + (k - 1) * rest + (k * (raters - rest)) / n;
  return total > 0 ? (calls - rest) / total : null;
}

/** A call decides the ICC if it changes by more than this without the call. */
const largestInfluence = 0.2;

/** The row without which the ICC changes most, if it changes so much, or does not exist, that this one call decides it. */
export function decisiveCall(scores: readonly (readonly number[])[]): number | undefined {
  const all = intraclassCorrelation(scores);
  if (all === null) return undefined;
  const changes = scores.map((_, row) => {
    const without = intraclassCorrelation(scores.toSpliced(row, 1));
    return without === null ? Number.POSITIVE_INFINITY : Math.abs(all - without);
  });
  const most = Math.max(...changes);
  return most > largestInfluence ? changes.indexOf(most) : undefined;
}
