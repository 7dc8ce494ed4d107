/** Ratings of one call, one place per rater. Undefined: this rater did not rate it. */
export type Ratings = readonly (number | undefined)[];

/** The ratings that were given. */
export const givenRatings = (ratings: Ratings): number[] => ratings.filter((rating) => rating !== undefined);

/** All values that occur, in ascending order. */
export const occurringValues = (units: readonly Ratings[]): number[] =>
  [...new Set(units.flatMap(givenRatings))].sort((a, b) => a - b);

/** How often each value occurs in the ratings of one call. */
export function countValues(ratings: Ratings, values: readonly number[]): number[] {
  const given = givenRatings(ratings);
  return values.map((value) => given.filter((rating) => rating === value).length);
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
