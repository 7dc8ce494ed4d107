/** What a clock on the wall shows: no zone, so no moment yet. Months from 1. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second?: number;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en", {
    ...{ timeZone: zone, calendar: "gregory", numberingSystem: "latn", hourCycle: "h23" },
    ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" },
  });
  clocks.set(zone, made);
  return made;
}

/** What a clock on the wall of this zone shows at this moment. */
export function wallTime(at: Date, zone: string): Required<WallTime> {
  const parts = clockOf(zone).formatToParts(at);
  const value = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return {
    ...{ year: value("year"), month: value("month"), day: value("day") },
    ...{ hour: value("hour"), minute: value("minute"), second: value("second") },
  };
}

/** As if the clock hung in Greenwich: to compare what clocks show. */
export const inUtc = ({ year, month, day, hour, minute, second = 0 }: WallTime) =>
  Date.UTC(year, month - 1, day, hour, minute, second);

const aDay = 24 * 3600 * 1000;

/** When it is, if clocks go as on the day before, and as on the day after: they change less often than that. */
function guesses(wall: WallTime, zone: string): [number, number] {
  const shown = inUtc(wall);
  const ahead = (at: number) => inUtc(wallTime(new Date(at), zone)) - at;
  return [shown - ahead(shown - aDay), shown - ahead(shown + aDay)];
}

/**
 * The moments at which a clock in that zone shows this time: one as a rule; two in the hour that clocks go back over;
 * none in the hour that they leap over.
 */
export function momentsOf(wall: WallTime, zone: string): Date[] {
  const moments = [...new Set(guesses(wall, zone))].sort((a, b) => a - b).map((at) => new Date(at));
  return moments.filter((at) => inUtc(wallTime(at, zone)) === inUtc(wall));
}

/**
 * When the clock on the wall of this zone shows that. What it shows twice, when clocks go back, is the first time; what
 * it never shows, when they go forward, is as much later as they are put forward.
 */
export const momentOf = (wall: WallTime, zone: string): Date =>
  momentsOf(wall, zone)[0] ?? new Date(guesses(wall, zone)[0]);

/** The beginning of the day of this moment in this zone, or of another day so many days later. */
export function startOfDay(at: Date, zone: string, daysLater = 0): Date {
  const { year, month, day } = wallTime(at, zone);
  return momentOf({ year, month, day: day + daysLater, hour: 0, minute: 0 }, zone);
}

/** The last second of a day ("2026-11-15") in this zone. */
export function endOfDay(day: string, zone: string): Date {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const wall = { year, month, day: date, hour: 23, minute: 59, second: 59 };
  return momentsOf(wall, zone).at(-1) ?? momentOf(wall, zone);
}

export const isZone = (name: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
};
