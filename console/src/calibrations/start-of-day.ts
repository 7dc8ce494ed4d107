import { instantOf } from "../ui/time/zoned-time.ts";

/** The start of a day such as 2026-11-15 in a time zone, plus `daysLater` days. */
export function startOfDay(text: string, zone: string, daysLater = 0): Date {
  const [year = 0, month = 0, day = 0] = text.split("-").map(Number);
  return instantOf({ year, month, day: day + daysLater, hour: 0, minute: 0 }, zone);
}
