/** Ratings of one call, one place per rater. Undefined: this rater did not rate it. */
export type Ratings = readonly (number | undefined)[];

/** The ratings of one call, without regard to who gave them. */
export interface RatedUnit {
  /** How often each category was given. */
  readonly counts: ReadonlyMap<number, number>;
  /** Number of ratings. */
  readonly size: number;
  /** Number of calls with these ratings. */
  readonly calls: number;
}

/** A statistic of all calls, and what it would be without one of them. Null: it cannot be calculated. */
export interface Statistic {
  readonly value: number | null;
  readonly without: (unit: RatedUnit) => number | null;
}

/** Calls by their ratings, so that the cost of a statistic grows with different calls only. */
export type UnitGroups = Map<string, { counts: Map<number, number>; size: number; calls: number }>;

/** Adds a call to its group. Calls without ratings are left out. */
export function addUnit(groups: UnitGroups, ratings: Ratings): void {
  const given: number[] = [];
  for (const rating of ratings) if (rating !== undefined) given.push(rating);
  if (given.length === 0) return;
  const key = given.length === 2 ? keyOfPair(given) : given.sort((a, b) => a - b).join(" ");
  const known = groups.get(key);
  if (known) {
    known.calls++;
    return;
  }
  const counts = new Map<number, number>();
  for (const rating of given) counts.set(rating, (counts.get(rating) ?? 0) + 1);
  groups.set(key, { counts, size: given.length, calls: 1 });
}

/** Without sorting: most calls have two ratings. */
const keyOfPair = ([a = 0, b = 0]: readonly number[]) => (a < b ? `${a} ${b}` : `${b} ${a}`);

export function groupUnits(units: readonly Ratings[]): RatedUnit[] {
  const groups: UnitGroups = new Map();
  for (const ratings of units) addUnit(groups, ratings);
  return [...groups.values()];
}

/** Units with two ratings or more. */
export const comparedUnits = (units: readonly RatedUnit[]): RatedUnit[] => units.filter(({ size }) => size >= 2);

export const countCalls = (units: readonly RatedUnit[]): number => sum(units.map(({ calls }) => calls));

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
