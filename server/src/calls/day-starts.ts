/** A day of a zone and the moment it begins. */
export interface DayStart {
  /** As 2026-11-15. */
  readonly day: string;
  readonly startsAt: Date;
}

const dayMs = 24 * 3600 * 1000;

/** The last days of a zone, oldest first, the day of `now` included. */
export function dayStarts(zone: string, days: number, now: Date): DayStart[] {
  const clock = new Intl.DateTimeFormat("en-CA", {
    ...{ timeZone: zone, calendar: "iso8601", numberingSystem: "latn", hourCycle: "h23" },
    ...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" },
  } as const);
  /** What a clock on the wall of that zone shows, as if it were in UTC. */
  const wallMs = (at: number) => {
    const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
  const today = Math.floor(wallMs(now.getTime()) / dayMs);
  return Array.from({ length: days }, (_, index) => {
    const midnight = (today - days + 1 + index) * dayMs;
    return { day: new Date(midnight).toISOString().slice(0, 10), startsAt: new Date(firstShowing(midnight, wallMs)) };
  });
}

/** The first moment whose clock shows that midnight or, where clocks leap over it, later. */
function firstShowing(midnight: number, wallMs: (at: number) => number): number {
  // No zone is further from UTC than this. Clocks that go back at midnight show it twice: the first time counts.
  let [low, high] = [midnight - 26 * 3600_000, midnight + 26 * 3600_000];
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (wallMs(middle) >= midnight) high = middle;
    else low = middle;
  }
  return high;
}
