import type { Defect } from "./finding-codes.ts";

/** A stretch of time, from the first to before the last millisecond, in which the zone's clocks keep one distance to UTC. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

/** The moments at which a clock of the zone shows this time: none when it was put forward over it, two when put back. */
export type Moments = readonly number[];

export interface TimeZone {
  readonly name: string;
  /** Both in milliseconds; the local time as if it were UTC. */
  moments(localMs: number): Moments;
}

const day = 24 * 60 * 60 * 1000;

/** A time zone by its IANA name. Its changes of clocks are learned from Intl, a year at a time, as they are needed. */
export function openTimeZone(name: string): TimeZone | Defect {
  const formatter = formatterOf(name);
  const fixed = /^[+-]\d\d:\d\d$/.test(name);
  if (!formatter || !(name.includes("/") || fixed || name === "UTC" || name === "GMT")) return unknownZone(name);
  const years = new Map<number, Stretch[]>();

  function stretchesOf(year: number): Stretch[] {
    const known = years.get(year);
    if (known) return known;
    const learned = learnStretches((at) => offsetAt(formatter as Intl.DateTimeFormat, at), year);
    years.set(year, learned);
    return learned;
  }

  return {
    name,
    moments(localMs) {
      const found: number[] = [];
      for (const { from, to, offset } of stretchesOf(new Date(localMs).getUTCFullYear())) {
        const at = localMs - offset;
        if (at >= from && at < to) found.push(at);
      }
      return found;
    },
  };
}

function formatterOf(name: string): Intl.DateTimeFormat | undefined {
  try {
    const part = "numeric";
    return new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      hourCycle: "h23",
      year: part,
      month: part,
      day: part,
      hour: part,
      minute: part,
      second: part,
    });
  } catch {
    return undefined;
  }
}

function offsetAt(formatter: Intl.DateTimeFormat, at: number): number {
  const parts = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of formatter.formatToParts(at)) if (type in parts) parts[type as "day"] = Number(value);
  return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second) - at;
}

/** No zone changes its clocks twice within a day, so a look at each day finds every change; halving finds its second. */
function learnStretches(offsetOf: (at: number) => number, year: number): Stretch[] {
  const first = Date.UTC(year, 0, 1) - 2 * day;
  const last = Date.UTC(year + 1, 0, 1) + 2 * day;
  const stretches: Stretch[] = [];
  let from = first;
  let offset = offsetOf(first);
  for (let at = first + day; at <= last; at += day) {
    const next = offsetOf(at);
    if (next === offset) continue;
    let before = at - day;
    let after = at;
    while (after - before > 1000) {
      const middle = Math.floor((before + after) / 2000) * 1000;
      if (offsetOf(middle) === offset) before = middle;
      else after = middle;
    }
    stretches.push({ from, to: after, offset });
    from = after;
    offset = next;
  }
  stretches.push({ from, to: last, offset });
  return stretches;
}

/** What the abbreviations stand for that people write first: each is one distance to UTC, in summer a wrong one. */
const meant: Readonly<Record<string, string>> = {
  CET: "Europe/Paris",
  CEST: "Europe/Paris",
  MET: "Europe/Berlin",
  WET: "Europe/Lisbon",
  EET: "Europe/Athens",
  BST: "Europe/London",
  EST: "America/New_York",
  EDT: "America/New_York",
  CST: "America/Chicago",
  CDT: "America/Chicago",
  MST: "America/Denver",
  MDT: "America/Denver",
  PST: "America/Los_Angeles",
  PDT: "America/Los_Angeles",
  IST: "Asia/Kolkata",
  JST: "Asia/Tokyo",
};

function unknownZone(name: string): Defect {
  const sought = name.toLowerCase().replaceAll(" ", "_");
  const similar =
    meant[name.toUpperCase()] ??
    Intl.supportedValuesOf("timeZone").find((zone) => sought.length > 2 && zone.toLowerCase().includes(sought));
  const example = similar ? `for example ${similar}` : "for example Europe/Paris";
  return {
    code: "time_zone_unknown",
    detail: `There is no time zone ${JSON.stringify(name.slice(0, 80))} that says when clocks change.`,
    fix: `State its IANA name with --time-zone, ${example}, or UTC.`,
  };
}
