import { asUtc, type WallTime } from "../ui/time/zoned-time.ts";

/** Formats a datetime-local value with seconds: 2026-05-01T10:30:00. */
export function toField(wall: WallTime): string {
  return new Date(asUtc(wall)).toISOString().slice(0, 19);
}

export function fromField(text: string): WallTime | undefined {
  const [, year, month, day, hour, minute, second = 0] =
    /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2}))?/.exec(text)?.map(Number) ?? [];
  if (!year || !month || !day || hour === undefined || minute === undefined) return undefined;
  return { year, month, day, hour, minute, second: second || 0 };
}
