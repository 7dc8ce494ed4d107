/** A time zone. Local times are in milliseconds as if they were UTC, for example Date.UTC(2026, 4, 1, 10, 30). */
export interface TimeZone {
  readonly name: string;
  toLocal(atMs: number): number;
  /** Instants of a local time, in order: none if clocks were set forward over it, two if they were set back. */
  toInstants(localMs: number): readonly number[];
  /** The first instant. A skipped time moves forward by the size of the gap. */
  toInstant(localMs: number): number;
}

/** A period with a constant UTC offset. `to` is exclusive. */
interface OffsetPeriod {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

const dayMs = 24 * 60 * 60 * 1000;
const zones = new Map<string, TimeZone>();
/** There are about 600 names, but Intl ignores their case: names from requests must not fill the memory. */
const maxZones = 1000;

/** Opens a time zone by a name that Intl knows; throws a RangeError otherwise. */
export function openTimeZone(name: string): TimeZone {
  const known = zones.get(name);
  if (known) return known;
  const zone = createTimeZone(name);
  if (zones.size >= maxZones) zones.clear();
  zones.set(name, zone);
  return zone;
}

export function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}

/** Finds the offset changes of a year when it is first needed: a conversion then takes a fraction of a microsecond. */
function createTimeZone(name: string): TimeZone {
  const formatter = new Intl.DateTimeFormat("en", {
    timeZone: name,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const years = new Map<number, OffsetPeriod[]>();

  function periodsOf(ms: number): OffsetPeriod[] {
    const year = new Date(ms).getUTCFullYear();
    const known = years.get(year);
    if (known) return known;
    const found = findOffsetPeriods((at) => offsetAt(formatter, at), year);
    years.set(year, found);
    return found;
  }

  const offsetOf = (atMs: number) => periodsOf(atMs).find(({ to }) => atMs < to)?.offset ?? 0;

  function toInstants(localMs: number): number[] {
    const found: number[] = [];
    for (const { from, to, offset } of periodsOf(localMs)) {
      const at = localMs - offset;
      if (at >= from && at < to) found.push(at);
    }
    return found;
  }

  return {
    name,
    toLocal: (atMs) => atMs + offsetOf(atMs),
    toInstants,
    toInstant: (localMs) => toInstants(localMs)[0] ?? localMs - offsetOf(localMs - dayMs),
  };
}

function offsetAt(formatter: Intl.DateTimeFormat, at: number): number {
  const parts = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of formatter.formatToParts(at)) if (type in parts) parts[type as "day"] = Number(value);
  return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second) - at;
}

/** Samples every day (no zone changes twice a day) and finds the second of each change by bisection. */
function findOffsetPeriods(offsetOf: (at: number) => number, year: number): OffsetPeriod[] {
  const first = Date.UTC(year, 0, 1) - 2 * dayMs;
  const last = Date.UTC(year + 1, 0, 1) + 2 * dayMs;
  const periods: OffsetPeriod[] = [];
  let from = first;
  let offset = offsetOf(first);
  for (let at = first + dayMs; at <= last; at += dayMs) {
    const next = offsetOf(at);
    if (next === offset) continue;
    let before = at - dayMs;
    let after = at;
    while (after - before > 1000) {
      const middle = Math.floor((before + after) / 2000) * 1000;
      if (offsetOf(middle) === offset) before = middle;
      else after = middle;
    }
    periods.push({ from, to: after, offset });
    from = after;
    offset = next;
  }
  periods.push({ from, to: last, offset });
  return periods;
}
