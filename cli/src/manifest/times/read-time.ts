import { earliestCallTime, latestCallTime } from "@hearback/portable/call-time";
import type { TimeZone } from "@hearback/portable/time-zone";
import { type Defect, isDefect, quote } from "../finding-codes.ts";
import { type SuggestedFormat, suggestTimeFormat } from "./suggest-time-format.ts";
import { compileTimeFormat, type ReadWritten, type TimeFormat, type WrittenTime } from "./time-format.ts";
import { openIanaZone } from "./time-zone.ts";

export interface TimeOptions {
  /** Such as "dd/MM/yyyy HH:mm", or unix, unix_ms, unix_us, iso. Default: Unix seconds and ISO 8601 with an offset. */
  readonly format?: string | undefined;
  readonly zone?: string | undefined;
  /** Which of two instants to use when clocks are set back. Default: an error. */
  readonly ambiguous?: "earlier" | "later" | undefined;
}

/** Returns Unix time in seconds, or a defect. */
export type ReadTime = (value: string) => number | Defect;

const day = 24 * 60 * 60;
const unixUnits: Readonly<Record<string, number>> = { unix: 1, unix_ms: 1e3, unix_us: 1e6 };

/** Creates the reader for the times of a manifest. Never guesses a format or a time zone. */
export function openTimeReader(options: TimeOptions, now = Date.now()): ReadTime | Defect {
  const read = openReader(options, now);
  return isDefect(read) ? read : explainMixedFormats(read);
}

const aboutFormat: ReadonlySet<string> = new Set(["time_format_missing", "time_format_mismatch"]);

/** A manifest has one format. Once a time was read, another --time-format would be wrong for its row. */
function explainMixedFormats(read: ReadTime): ReadTime {
  let isFormatRight = false;
  return (value) => {
    const time = read(value);
    if (typeof time === "number") isFormatRight = true;
    else if (isFormatRight && aboutFormat.has(time.code) && suggestTimeFormat(value).length > 0)
      return {
        ...time,
        fix: `${time.fix} Other rows have another format: move these rows to a manifest of their own.`,
      };
    return time;
  };
}

function openReader({ format, zone, ambiguous }: TimeOptions, now: number): ReadTime | Defect {
  const place = zone === undefined ? undefined : openIanaZone(zone);
  if (place && isDefect(place)) return place;
  const bounded = (seconds: number, value: string) => outOfRange(seconds, value, now) ?? seconds;
  const unit = unixUnits[format ?? ""];
  if (unit) return (value) => readUnix(value, format ?? "", unit, bounded);

  const written = format === undefined || format === "iso" ? isoFormat : compileTimeFormat(format);
  if (isDefect(written)) return written;
  if (!written.hasOffset && !place && format !== "iso" && format !== undefined) return noZone(format);
  const advice = new Map<string, string>();
  return (value) => {
    if (format === undefined && /^\d{9,10}$/.test(value)) return bounded(Number(value), value);
    const time = written.read(value);
    if (time === undefined) return format === undefined ? formatMissing(value, advice) : mismatch(value, format);
    if (time === "impossible") return impossible(value);
    if (format === undefined && time.offsetMinutes === undefined) return formatMissing(value, advice);
    // Out of range in every time zone: skip the computation of its offsets.
    const seconds = time.localMs / 1000;
    if (seconds < earliestCallTime - 2 * day || seconds > latestCallTime(now) + 2 * day)
      return bounded(Math.floor(seconds), value);
    const at = toInstant(time, value, place, ambiguous);
    return typeof at === "number" ? bounded(Math.floor(at / 1000), value) : at;
  };
}

function readUnix(
  value: string,
  format: string,
  unit: number,
  bounded: (seconds: number, value: string) => number | Defect,
) {
  if (!/^\d{1,17}([.,]\d{1,9})?$/.test(value)) return mismatch(value, format);
  return bounded(Math.floor(Number(value.replace(",", ".")) / unit), value);
}

function toInstant(
  { localMs, offsetMinutes }: WrittenTime,
  value: string,
  zone: TimeZone | undefined,
  ambiguous: TimeOptions["ambiguous"],
): number | Defect {
  if (offsetMinutes !== undefined) return localMs - offsetMinutes * 60_000;
  if (!zone) return noZone(value);
  const instants = zone.toInstants(localMs);
  const [earlier, later] = instants;
  if (earlier === undefined)
    return {
      code: "time_in_gap",
      detail: `The time ${quote(value)} does not exist in ${zone.name}: clocks were set forward.`,
      fix: "Check the time zone. If the phone system's clock uses another one, set it with --time-zone (for example UTC).",
    };
  if (later === undefined || ambiguous === "earlier") return Math.min(...instants);
  if (ambiguous === "later") return Math.max(...instants);
  return {
    code: "time_ambiguous",
    detail: `The time ${quote(value)} occurred twice in ${zone.name}, when clocks were set back: ${instants.map(iso).join(" or ")}.`,
    fix: "Export times with an offset or in UTC, or choose with --ambiguous earlier or --ambiguous later.",
  };
}

/** ISO 8601: a date, "T" or a space, a time, and an optional offset. */
const iso8601 =
  /^(\d{4})-?(\d\d)-?(\d\d)[Tt ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)? ?(?:([Zz])|([+-]\d\d):?(\d\d)?)?$/;

const readIso: ReadWritten = (value) => {
  const parts = iso8601.exec(value);
  if (!parts) return undefined;
  const [, year, month, date, hour, minute, second = "0", fraction = "0", zulu, east, eastMinutes = "0"] = parts;
  const ms = Math.floor(Number(`0.${fraction}`) * 1000);
  const localMs = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(date),
    Number(hour),
    Number(minute),
    Number(second),
    ms,
  );
  const there = new Date(localMs);
  const exists =
    there.getUTCDate() === Number(date) &&
    there.getUTCMonth() === Number(month) - 1 &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60 &&
    Math.abs(Number(east ?? 0)) <= 14 &&
    Number(eastMinutes) < 60;
  if (!exists) return "impossible";
  const sign = east?.startsWith("-") ? -1 : 1;
  const offset = east === undefined ? undefined : Number(east) * 60 + sign * Number(eastMinutes);
  return { localMs, offsetMinutes: zulu ? 0 : offset };
};

const isoFormat: TimeFormat = { hasOffset: false, source: "", read: readIso };

const iso = (ms: number) => new Date(ms).toISOString().replace(".000Z", "Z");

function outOfRange(seconds: number, value: string, now: number): Defect | undefined {
  if (seconds < earliestCallTime)
    return {
      code: "time_too_early",
      detail: `The time ${quote(value)} is before the year 2000.`,
      fix: "Check the column and the format. The service accepts calls from 2000-01-01.",
    };
  if (seconds <= latestCallTime(now)) return undefined;
  const millis = /^\d{12,14}$/.test(value);
  if (millis) return milliseconds(value);
  return {
    code: "time_in_future",
    detail: `The time ${quote(value)} is more than a day in the future${seconds < 8.64e12 ? ` (${iso(seconds * 1000)})` : ""}.`,
    fix: "Check the time zone, the column, the format (are day and month swapped?) and this machine's clock.",
  };
}

const milliseconds = (value: string): Defect => ({
  code: "time_in_milliseconds",
  detail: `The time ${quote(value)} is in milliseconds.`,
  fix: "Use --time-format unix_ms.",
});

const impossible = (value: string): Defect => ({
  code: "time_impossible",
  detail: `The time ${quote(value)} has the right format, but there is no such day or hour.`,
  fix: "Correct it. If many rows are affected, check the format (are day and month swapped?).",
});

const mismatch = (value: string, format: string): Defect =>
  recognizeNumber(value) ?? {
    code: "time_format_mismatch",
    detail: `The time ${quote(value)} does not match the format ${quote(format)}.`,
    fix: `Correct it, or set the right format with --time-format${like(value)}.`,
  };

/** Recognizes Unix milliseconds and spreadsheet serial dates. */
function recognizeNumber(value: string): Defect | undefined {
  if (/^\d{13}$/.test(value)) return milliseconds(value);
  if (!/^\d{5}([.,]\d+)?$/.test(value)) return undefined;
  return {
    code: "time_excel_serial",
    detail: `The time ${quote(value)} is a spreadsheet serial date.`,
    fix: "In the spreadsheet, format the column as yyyy-mm-dd hh:mm:ss, save it as CSV again, and use --time-format 'yyyy-MM-dd HH:mm:ss'.",
  };
}

const like = (value: string) => {
  const [first] = suggestTimeFormat(value);
  return first ? `, perhaps '${first.format}'` : "";
};

const noZone = (what: string): Defect => ({
  code: "time_zone_missing",
  detail: `The time (${quote(what)}) has no time zone.`,
  fix: "Set the time zone of the phone system's clock: --time-zone Europe/Paris, or --time-zone UTC.",
});

/** The format must be set. Values of the same shape share one fix, with the first value as the example. */
function formatMissing(value: string, advice: Map<string, string>): Defect {
  const number = recognizeNumber(value);
  if (number) return number;
  const readings = suggestTimeFormat(value);
  const alike = readings.map(({ format }) => format).join("\n");
  const fix = advice.get(alike) ?? suggestFix(value, readings);
  if (advice.size < 100) advice.set(alike, fix);
  const detail =
    readings.length > 0
      ? `The format of the time ${quote(value)} is ambiguous or not set.`
      : `Cannot read the time ${quote(value)} without a format.`;
  return { code: "time_format_missing", detail, fix };
}

function suggestFix(value: string, [first, second]: readonly SuggestedFormat[]): string {
  if (!first)
    return "Set --time-format (such as 'yyyy-MM-dd HH:mm:ss') and --time-zone, or select the column with --map time=COLUMN.";
  const zone = first.hasOffset ? "" : ", and --time-zone (such as Europe/Paris)";
  if (!second) return `Set --time-format '${first.format}'${zone}.`;
  return `Choose the format: with --time-format '${first.format}' ${quote(value)} is ${first.means}, with '${second.format}' it is ${second.means}${zone}.`;
}
