import { latestCallTime } from "@hearback/portable/call-time";
import { asUtc, type WallTime } from "../../ui/time/zoned-time.ts";

/** Time in a name: an instant, or a local time without a zone. */
export type NamedTime = { readonly at: Date } | { readonly wall: Required<WallTime> };

export interface FoundTime {
  readonly time: NamedTime;
  /** Name without the time. */
  readonly rest: string;
}

const between = "[-_./: ]?";
const clock = `(?<hour>[01]\\d|2[0-3])(?:[-_.:h ]?)(?<minute>[0-5]\\d)(?:[-_.:m ]?(?<second>[0-5]\\d))?s?`;
const zone = "(?:[.,]\\d{1,9})?(?<zone>Z|[+-]\\d{2}:?\\d{2}(?!\\d))?";
const yearFirst = `(?<year>20\\d{2})${between}(?<month>0[1-9]|1[0-2])${between}(?<day>0[1-9]|[12]\\d|3[01])`;
/** 31.12.2026; with other separators only if the first number cannot be a month. */
const dayFirst = [
  "(?<day>0[1-9]|[12]\\d|3[01])[.](?<month>0[1-9]|1[0-2])[.](?<year>20\\d{2})",
  "(?<day>1[3-9]|2\\d|3[01])[-_/](?<month>0[1-9]|1[0-2])[-_/](?<year>20\\d{2})",
];
const dates = [yearFirst, ...dayFirst].map(
  (date) => new RegExp(`(?<!\\d)${date}(?:[-_ T./]+|T)?${clock}${zone}(?!\\d)`, "i"),
);
/** Unix time in seconds, as in Asterisk's unique ids, or in milliseconds. */
const unix = /(?<!\d)(?<seconds>1\d{9})(?:(?<milliseconds>\d{3})|[.]\d{1,6})?(?!\d)/;
/** IDs that may contain any digits. */
const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<![a-z0-9])(RE|CA)[0-9a-f]{32}/gi;

const dayMs = 24 * 3600 * 1000;

/** Time in a name, if unambiguous. */
export function timeInName(name: string, now = new Date()): FoundTime | undefined {
  const text = name.replace(ids, " ");
  const wall = calendarTime(text);
  const rest = wall?.rest ?? text;
  const moment = unixTime(rest, now);
  // FreePBX has both. The Unix time is independent of the zone. If they differ by more than a day, the date wins.
  if (wall && moment) {
    const apart =
      "wall" in wall.time ? Math.abs(asUtc(wall.time.wall) - moment.at.getTime()) : Number.POSITIVE_INFINITY;
    return apart < 1.1 * dayMs ? { time: { at: moment.at }, rest: moment.rest } : wall;
  }
  if (moment) return { time: { at: moment.at }, rest: moment.rest };
  return wall;
}

function calendarTime(text: string): FoundTime | undefined {
  for (const pattern of dates) {
    const match = pattern.exec(text);
    const wall = match?.groups && readWallTime(match.groups);
    if (!match || !wall) continue;
    const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`;
    const offset = match.groups?.zone;
    return { time: offset ? { at: new Date(asUtc(wall) - offsetMs(offset)) } : { wall }, rest };
  }
  return undefined;
}

function readWallTime(groups: Record<string, string | undefined>): Required<WallTime> | undefined {
  const [year, month, day, hour, minute, second] = ["year", "month", "day", "hour", "minute", "second"].map((name) =>
    Number(groups[name] ?? 0),
  ) as [number, number, number, number, number, number];
  const wall = { year, month, day, hour, minute, second };
  // Rejects dates such as February 31.
  return new Date(asUtc(wall)).getUTCDate() === day ? wall : undefined;
}

function unixTime(text: string, now: Date): { at: Date; rest: string } | undefined {
  const match = unix.exec(text);
  if (!match?.groups) return undefined;
  const at = new Date(Number(match.groups.seconds) * 1000 + Number(match.groups.milliseconds ?? 0));
  // Later numbers are not timestamps.
  if (at.getTime() / 1000 > latestCallTime(now.getTime())) return undefined;
  return { at, rest: `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}` };
}

function offsetMs(zone: string): number {
  if (/z/i.test(zone)) return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
