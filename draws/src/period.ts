import { openTimeZone } from "@hearback/portable/time-zone";
import type { Period } from "./rules.ts";

export interface PeriodSpan {
  /** First and last local day, for example 2026-11-16/2026-11-22. */
  readonly name: string;
  readonly startsAt: Date;
  /** Exclusive. */
  readonly endsAt: Date;
}

const dayMs = 24 * 60 * 60_000;
const startOfDay = (localMs: number) => Math.floor(localMs / dayMs) * dayMs;
const dayName = (localMs: number) => new Date(localMs).toISOString().slice(0, 10);

/** The local midnight at which the period after `localMs` begins. Weeks begin on Monday. */
function nextStart(period: Period, localMs: number): number {
  const today = startOfDay(localMs);
  const date = new Date(today);
  if (period === "day") return today + dayMs;
  if (period === "week") return today + (7 - ((date.getUTCDay() + 6) % 7)) * dayMs;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** The rest of the period that a moment lies in. A plan's first period begins when the plan is created. */
export function periodFrom(period: Period, timeZone: string, at: Date): PeriodSpan {
  const zone = openTimeZone(timeZone);
  const local = zone.toLocal(at.getTime());
  const end = nextStart(period, local);
  return {
    name: `${dayName(startOfDay(local))}/${dayName(end - dayMs)}`,
    startsAt: at,
    endsAt: new Date(zone.toInstant(end)),
  };
}
