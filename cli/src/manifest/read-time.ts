import { type Defect, isDefect, quote } from "./finding-codes.ts";
import { type SuggestedFormat, suggestTimeFormat } from "./suggest-time-format.ts";
import { compileTimeFormat, type ReadWritten, type TimeFormat, type WrittenTime } from "./time-format.ts";
import { openTimeZone, type TimeZone } from "./time-zone.ts";

export interface TimeOptions {
  /** Such as "dd/MM/yyyy HH:mm"; unix, unix_ms, unix_us or iso. Not stated: Unix seconds and ISO 8601 with an offset. */
  readonly format?: string | undefined;
  readonly zone?: string | undefined;
  /** Which of the two is meant when clocks were put back; not stated: an error. */
  readonly ambiguous?: "earlier" | "later" | undefined;
}

/** Unix time in seconds, or what is wrong with the value. */
export type ReadTime = (value: string) => number | Defect;

const earliest = Date.UTC(2000, 0, 1) / 1000;
const day = 24 * 60 * 60;
/** No recorded call is in the future, and clocks differ a little. The service takes a day, which would hide a wrong zone. */
const mostAhead = 10 * 60;
const unixUnits: Readonly<Record<string, number>> = { unix: 1, unix_ms: 1e3, unix_us: 1e6 };

/** Makes the reader of all times of a manifest. Never guesses a format or a zone. */
export function openTimes({ format, zone, ambiguous }: TimeOptions, now = Date.now()): ReadTime | Defect {
  const place = zone === undefined ? undefined : openTimeZone(zone);
  if (place && isDefect(place)) return place;
  const bounded = (seconds: number, value: string) => outOfRange(seconds, value, now / 1000) ?? seconds;
  const unit = unixUnits[format ?? ""];
  if (unit) return (value) => readUnix(value, format ?? "", unit, bounded);

  const written = format === undefined || format === "iso" ? isoFormat : compileTimeFormat(format);
  if (isDefect(written)) return written;
  if (!written.hasOffset && !place && format !== "iso" && format !== undefined) return noZone(format);
  const advice = new Map<string, string>();
  return (value) => {
    if (format === undefined && /^\d{9,10}$/.test(value)) return bounded(Number(value), value);
    const time = written.read(value);
    if (time === undefined) return format === undefined ? notStated(value, advice) : mismatch(value, format);
    if (time === "impossible") return impossible(value);
    if (format === undefined && time.offsetMinutes === undefined) return notStated(value, advice);
    // Far off in every zone: none need be learned for the year 9999.
    const seconds = time.localMs / 1000;
    if (seconds < earliest - 2 * day || seconds > now / 1000 + 3 * day) return bounded(Math.floor(seconds), value);
    const at = momentOf(time, value, place, ambiguous);
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

function momentOf(
  { localMs, offsetMinutes }: WrittenTime,
  value: string,
  zone: TimeZone | undefined,
  ambiguous: TimeOptions["ambiguous"],
): number | Defect {
  if (offsetMinutes !== undefined) return localMs - offsetMinutes * 60_000;
  if (!zone) return noZone(value);
  const moments = zone.moments(localMs);
  const [earlier, later] = moments;
  if (earlier === undefined)
    return {
      code: "time_in_gap",
      detail: `The time ${quote(value)} does not exist in ${zone.name}: clocks were put forward over it.`,
      fix: "Check the zone; if the telephone system's clock does not follow it, state another with --time-zone (for example UTC).",
    };
  if (later === undefined || ambiguous === "earlier") return Math.min(...moments);
  if (ambiguous === "later") return Math.max(...moments);
  return {
    code: "time_ambiguous",
    detail: `The time ${quote(value)} was twice in ${zone.name}, when clocks were put back: ${moments.map(iso).join(" or ")}.`,
    fix: "Export times with their offset or in UTC, or choose with --ambiguous earlier or --ambiguous later.",
  };
}

/** ISO 8601 as machines write it: a date, T or a space, a time, an offset or none. */
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
  if (seconds < earliest)
    return {
      code: "time_too_early",
      detail: `The time ${quote(value)} is before the year 2000.`,
      fix: "Check the column and the format: the service takes calls from 2000-01-01 on.",
    };
  if (seconds <= now + mostAhead) return undefined;
  const millis = /^\d{12,14}$/.test(value);
  if (millis) return milliseconds(value);
  return {
    code: "time_in_future",
    detail: `The time ${quote(value)} is ${seconds < 8.64e12 ? iso(seconds * 1000) : "far"} in the future.`,
    fix: "Check the zone, the column, the format (day and month exchanged?), and the clock of this machine.",
  };
}

const milliseconds = (value: string): Defect => ({
  code: "time_in_milliseconds",
  detail: `The time ${quote(value)} is in milliseconds.`,
  fix: "State --time-format unix_ms.",
});

const impossible = (value: string): Defect => ({
  code: "time_impossible",
  detail: `The time ${quote(value)} is written as expected, but there is no such day or hour.`,
  fix: "Correct it in the manifest; if it happens in many rows, check the format (day and month exchanged?).",
});

const mismatch = (value: string, format: string): Defect =>
  otherwiseCounted(value) ?? {
    code: "time_format_mismatch",
    detail: `The time ${quote(value)} is not written as ${quote(format)}.`,
    fix: `Correct it, or state the format that fits with --time-format${like(value)}.`,
  };

/** Numbers that are no date in any format, and what they are instead. */
function otherwiseCounted(value: string): Defect | undefined {
  if (/^\d{13}$/.test(value)) return milliseconds(value);
  if (!/^\d{5}([.,]\d+)?$/.test(value)) return undefined;
  return {
    code: "time_excel_serial",
    detail: `The time ${quote(value)} is a number of days, as spreadsheets keep dates.`,
    fix: "In the spreadsheet, format the column as yyyy-mm-dd hh:mm:ss, save it as CSV again, and state --time-format 'yyyy-MM-dd HH:mm:ss'.",
  };
}

const like = (value: string) => {
  const [first] = suggestTimeFormat(value);
  return first ? `, perhaps '${first.format}'` : "";
};

const noZone = (what: string): Defect => ({
  code: "time_zone_missing",
  detail: `The time (${quote(what)}) says nothing about its time zone: the same words are another moment in every country.`,
  fix: "State where the clock of the telephone system stood: --time-zone Europe/Paris, or --time-zone UTC.",
});

/** The format has to be stated. The advice is the same for all values alike, with the first of them as the example. */
function notStated(value: string, advice: Map<string, string>): Defect {
  const number = otherwiseCounted(value);
  if (number) return number;
  const readings = suggestTimeFormat(value);
  const alike = readings.map(({ format }) => format).join("\n");
  const fix = advice.get(alike) ?? howToState(value, readings);
  if (advice.size < 100) advice.set(alike, fix);
  const detail =
    readings.length > 0
      ? `It is not stated how the time ${quote(value)} is written.`
      : `${quote(value)} is no time that can be read without a stated format.`;
  return { code: "time_format_missing", detail, fix };
}

function howToState(value: string, [one, other]: readonly SuggestedFormat[]): string {
  if (!one)
    return "State --time-format (such as 'yyyy-MM-dd HH:mm:ss') and --time-zone, or choose the column with --map time=COLUMN.";
  const zone = one.hasOffset ? "" : ", and --time-zone (such as Europe/Paris)";
  if (!other) return `State --time-format '${one.format}'${zone}.`;
  return `State which is meant: with --time-format '${one.format}' ${quote(value)} is ${one.means}, with '${other.format}' it is ${other.means}${zone}.`;
}
