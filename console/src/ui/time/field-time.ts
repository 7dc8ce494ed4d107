import { instantOf, wallTime } from "./zoned-time.ts";

/** Formats a time for a datetime-local input in the given zone: 2026-11-15T08:00. */
export function toFieldTime(at: Date, zone: string): string {
  const { year, month, day, hour, minute } = wallTime(at, zone);
  const digits = (value: number, count = 2) => String(value).padStart(count, "0");
  return `${digits(year, 4)}-${digits(month)}-${digits(day)}T${digits(hour)}:${digits(minute)}`;
}

const form = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:T([01]\d|2[0-3]):([0-5]\d))?$/;

/** Parses a date or datetime-local value in the given zone. A date means its start. Undefined: invalid. */
export function fromFieldTime(text: string, zone: string, daysLater = 0): Date | undefined {
  const [year, month, day, hour = 0, minute = 0] =
    form
      .exec(text)
      ?.slice(1)
      .map((part) => Number(part ?? 0)) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  return instantOf({ year, month, day: day + daysLater, hour, minute }, zone);
}
