/** The columns that are summed, in score_sum, deleted_score_sum and agent_score_sum. */
export const measures = [
  "scored",
  "unscored",
  "passed",
  "failed",
  "failedCall",
  "scoreTotal",
  "scoreSquares",
  "disputes",
  "disputesChanged",
  "releaseSeconds",
  "acknowledged",
  "acknowledgementSeconds",
] as const;
export type Measure = (typeof measures)[number];
export type Measures = Readonly<Record<Measure, number>>;

const build = (value: (measure: Measure) => number): Measures =>
  Object.fromEntries(measures.map((measure) => [measure, value(measure)])) as Measures;

export const measuresOf = (some: Partial<Measures>): Measures => build((measure) => some[measure] ?? 0);
export const noMeasures: Measures = measuresOf({});
export const addMeasures = (a: Measures, b: Measures, sign: 1 | -1 = 1): Measures =>
  build((measure) => a[measure] + sign * b[measure]);
export const isZero = (sums: Measures): boolean => measures.every((measure) => sums[measure] === 0);
