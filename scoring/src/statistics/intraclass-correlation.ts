import { sum } from "./ratings.ts";

const mean = (numbers: readonly number[]) => sum(numbers) / numbers.length;

/**
 * ICC(2,1) after Shrout and Fleiss: agreement of reviewers on total scores, if every reviewer scored every call. Rows are calls. Null:
 * fewer than two calls or reviewers, or no variation.
 */
export function intraclassCorrelation(scores: readonly (readonly number[])[]): number | null {
  const calls = scores.length;
  const raters = scores[0]?.length ?? 0;
  if (calls < 2 || raters < 2 || scores.some((row) => row.length !== raters)) return null;
  const all = scores.flat();
  const overall = mean(all);
  const squares = (means: readonly number[], each: number) => each * sum(means.map((value) => (value - overall) ** 2));
  const betweenCalls = squares(scores.map(mean), raters);
  const raterMeans = Array.from({ length: raters }, (_, rater) => mean(scores.map((row) => row[rater] ?? 0)));
  const betweenRaters = squares(raterMeans, calls);
  const rest = squares(all, 1) - betweenCalls - betweenRaters;
  const callSquare = betweenCalls / (calls - 1);
  const raterSquare = betweenRaters / (raters - 1);
  const errorSquare = rest / ((calls - 1) * (raters - 1));
  const total = callSquare + (raters - 1) * errorSquare + (raters * (raterSquare - errorSquare)) / calls;
  return total > 0 ? (callSquare - errorSquare) / total : null;
}
