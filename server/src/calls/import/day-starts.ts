import { openTimeZone } from "@hearback/portable/time-zone";

/** A calendar day in a time zone and the instant it starts. */
export interface DayStart {
  /** For example 2026-11-15. */
  readonly day: string;
  readonly startsAt: Date;
}

const dayMs = 24 * 3600 * 1000;

/** Returns the last `days` days of a time zone up to and including the day of `now`, oldest first. */
export function dayStarts(zone: string, days: number, now: Date): DayStart[] {
  const { toLocal, toInstant } = openTimeZone(zone);
  const today = Math.floor(toLocal(now.getTime()) / dayMs);
  return Array.from({ length: days }, (_, index) => {
    const midnight = (today - days + 1 + index) * dayMs;
    // If a DST change skips midnight, the day starts with the change; if midnight occurs twice, with the first one.
    return { day: new Date(midnight).toISOString().slice(0, 10), startsAt: new Date(toInstant(midnight)) };
  });
}
