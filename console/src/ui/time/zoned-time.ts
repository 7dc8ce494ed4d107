import { openTimeZone } from "@hearback/portable/time-zone";

/** Local date and time without a zone. Months start at 1. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second?: number;
}

/** Local time of an instant in a zone. */
export function wallTime(at: Date, zone: string): Required<WallTime> {
  const local = new Date(openTimeZone(zone).toLocal(at.getTime()));
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
  };
}

/** Local time as if in UTC, for comparisons. */
export const asUtc = ({ year, month, day, hour, minute, second = 0 }: WallTime) =>
  Date.UTC(year, month - 1, day, hour, minute, second);

/** Instants with this local time: usually one; two when clocks go back, none when they go forward. */
export const instantsOf = (wall: WallTime, zone: string): Date[] =>
  openTimeZone(zone)
    .toInstants(asUtc(wall))
    .map((at) => new Date(at));

/**
 * Instant of a local time. Ambiguous times resolve to the first instant; skipped times move forward by the size of the
 * gap.
 */
export const instantOf = (wall: WallTime, zone: string): Date => new Date(openTimeZone(zone).toInstant(asUtc(wall)));

/** Start of the day in the zone, plus `daysLater` days. */
export function startOfDay(at: Date, zone: string, daysLater = 0): Date {
  const { year, month, day } = wallTime(at, zone);
  return instantOf({ year, month, day: day + daysLater, hour: 0, minute: 0 }, zone);
}

export function endOfDay(day: string, zone: string): Date {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const wall = { year, month, day: date, hour: 23, minute: 59, second: 59 };
  return instantsOf(wall, zone).at(-1) ?? instantOf(wall, zone);
}
