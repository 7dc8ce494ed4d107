import { type Defect, quote } from "../finding-codes.ts";

/** A local time, before the time zone is applied. */
export interface WrittenTime {
  /** Milliseconds, as if the local time were UTC. */
  localMs: number;
  /** Minutes east of UTC, if the time has an offset. */
  offsetMinutes: number | undefined;
}

/** Parses a time. undefined: the format does not match. "impossible": it matches, but there is no such day or hour. */
export type ReadWritten = (value: string) => WrittenTime | "impossible" | undefined;

export interface TimeFormat {
  readonly hasOffset: boolean;
  /** Regular expression source that matches such a time. */
  readonly source: string;
  readonly read: ReadWritten;
}

interface Fields {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  ms: number;
  afternoon: boolean | undefined;
  offset: number | undefined;
  weekday: number | undefined;
}

/** Parses one part of the text at an offset and returns the end offset; -1 if it does not match. */
type Step = (text: string, at: number, fields: Fields) => number;

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

type NumberField = "year" | "month" | "day" | "hour" | "minute" | "second" | "ms";

const digits =
  (field: NumberField, min: number, max: number, scale = (value: number) => value): Step =>
  (text, at, fields) => {
    let end = at;
    let value = 0;
    while (end < at + max) {
      const digit = text.charCodeAt(end) - 48;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
      end++;
    }
    if (end - at < min) return -1;
    fields[field] = scale(value);
    return end;
  };

const word =
  (words: readonly string[], keep: (fields: Fields, index: number) => void): Step =>
  (text, at, fields) => {
    const length = words[0]?.length ?? 0;
    const index = words.indexOf(text.slice(at, at + length).toLowerCase());
    if (index < 0) return -1;
    keep(fields, index);
    return at + length;
  };

const offset =
  (colon: string): Step =>
  (text, at, fields) => {
    const sign = text[at];
    if (sign === "Z" || sign === "z") {
      fields.offset = 0;
      return at + 1;
    }
    const end = at + 5 + colon.length;
    const parts = new RegExp(`^[+-](\\d\\d)${colon}(\\d\\d)$`).exec(text.slice(at, end));
    if (!parts) return -1;
    fields.offset = (Number(parts[1]) * 60 + Number(parts[2])) * (sign === "-" ? -1 : 1);
    return end;
  };

const literal =
  (wanted: string): Step =>
  (text, at) =>
    text.startsWith(wanted, at) ? at + wanted.length : -1;

// Two-digit years: 70 to 99 are 19xx, 00 to 69 are 20xx.
const century = (year: number) => (year < 70 ? 2000 + year : 1900 + year);

const tokens: Readonly<Record<string, { step: Step; source: string; field: string }>> = {
  yyyy: { step: digits("year", 4, 4), source: "\\d{4}", field: "year" },
  yy: { step: digits("year", 2, 2, century), source: "\\d\\d", field: "year" },
  MMM: {
    step: word(months, (fields, index) => {
      fields.month = index + 1;
    }),
    source: "[A-Za-z]{3}",
    field: "month",
  },
  MM: { step: digits("month", 2, 2), source: "\\d\\d", field: "month" },
  M: { step: digits("month", 1, 2), source: "\\d\\d?", field: "month" },
  dd: { step: digits("day", 2, 2), source: "\\d\\d", field: "day" },
  d: { step: digits("day", 1, 2), source: "\\d\\d?", field: "day" },
  HH: { step: digits("hour", 2, 2), source: "\\d\\d", field: "hour" },
  H: { step: digits("hour", 1, 2), source: "\\d\\d?", field: "hour" },
  hh: { step: digits("hour", 2, 2), source: "\\d\\d", field: "hour12" },
  h: { step: digits("hour", 1, 2), source: "\\d\\d?", field: "hour12" },
  mm: { step: digits("minute", 2, 2), source: "\\d\\d", field: "minute" },
  m: { step: digits("minute", 1, 2), source: "\\d\\d?", field: "minute" },
  ss: { step: digits("second", 2, 2), source: "\\d\\d", field: "second" },
  s: { step: digits("second", 1, 2), source: "\\d\\d?", field: "second" },
  a: {
    step: word(["am", "pm"], (fields, index) => {
      fields.afternoon = index === 1;
    }),
    source: "[AaPp][Mm]",
    field: "half",
  },
  EEE: {
    step: word(weekdays, (fields, index) => {
      fields.weekday = index;
    }),
    source: "[A-Za-z]{3}",
    field: "weekday",
  },
  XXX: { step: offset(":"), source: "(?:Z|[+-]\\d\\d:\\d\\d)", field: "offset" },
  XX: { step: offset(""), source: "(?:Z|[+-]\\d{4})", field: "offset" },
};

/** Compiles a format such as "dd/MM/yyyy HH:mm:ss". */
export function compileTimeFormat(format: string): TimeFormat | Defect {
  const steps: Step[] = [];
  const fields = new Set<string>();
  let source = "";
  for (const [part] of format.matchAll(/'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z']+|'/g)) {
    const fraction = /^S{1,9}$/.test(part) ? part.length : 0;
    const token = fraction ? fractionToken(fraction) : tokens[part];
    if (token) {
      if (fields.has(token.field)) return badFormat(format, `It has the ${token.field} twice.`);
      steps.push(token.step);
      fields.add(token.field);
      source += token.source;
    } else if (/^[A-Za-z]/.test(part) || part === "'") {
      return badFormat(format, part === "'" ? "A quote is not closed." : `${quote(part)} is not a known symbol.`);
    } else {
      const text = part.startsWith("'") ? part.slice(1, -1).replaceAll("''", "'") || "'" : part;
      steps.push(literal(text));
      source += text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    }
  }
  const missing = findMissingFields(fields);
  if (missing) return badFormat(format, missing);
  return { hasOffset: fields.has("offset"), source, read: readBy(steps, fields.has("hour12")) };
}

const fractionToken = (count: number) => ({
  step: digits("ms", count, count, (value) => Math.floor(value / 10 ** (count - 3))),
  source: `\\d{${count}}`,
  field: "fraction",
});

function findMissingFields(fields: ReadonlySet<string>): string | undefined {
  const wanted = ["year", "month", "day"].filter((field) => !fields.has(field));
  if (wanted.length > 0) return `It has no ${wanted.join(" and no ")}.`;
  if (!fields.has("hour") && !fields.has("hour12")) return "It has no hour.";
  if (fields.has("hour12") !== fields.has("half")) return "A 12-hour clock needs both the hour (h, hh) and AM/PM (a).";
  return undefined;
}

const badFormat = (format: string, why: string): Defect => ({
  code: "time_format_bad",
  detail: `Invalid time format ${quote(format)}. ${why}`,
  fix: "Use yyyy, MM, dd, HH, mm and ss with separators, such as 'dd/MM/yyyy HH:mm:ss', or use unix, unix_ms or iso.",
});

function readBy(steps: readonly Step[], twelve: boolean): ReadWritten {
  return (value) => {
    const fields: Fields = {
      year: 0,
      month: 1,
      day: 1,
      hour: 0,
      minute: 0,
      second: 0,
      ms: 0,
      afternoon: undefined,
      offset: undefined,
      weekday: undefined,
    };
    let at = 0;
    for (const step of steps) {
      at = step(value, at, fields);
      if (at < 0) return undefined;
    }
    return at === value.length ? toWritten(fields, twelve) : undefined;
  };
}

function toWritten(fields: Fields, twelve: boolean): WrittenTime | "impossible" {
  const { year, month, day, minute, second, ms, offset, weekday } = fields;
  let { hour } = fields;
  if (twelve) {
    if (hour < 1 || hour > 12) return "impossible";
    hour = (hour % 12) + (fields.afternoon ? 12 : 0);
  }
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return "impossible";
  if (offset !== undefined && Math.abs(offset) > 14 * 60) return "impossible";
  const localMs = Date.UTC(year, month - 1, day, hour, minute, second, ms);
  const there = new Date(localMs);
  // Date.UTC rolls February 31 over to March.
  if (there.getUTCDate() !== day || there.getUTCMonth() !== month - 1) return "impossible";
  if (weekday !== undefined && there.getUTCDay() !== weekday) return "impossible";
  return { localMs, offsetMinutes: offset };
}
