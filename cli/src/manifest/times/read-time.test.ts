import { expect, test } from "vitest";
import { isDefect } from "../finding-codes.ts";
import { openTimeReader, type TimeOptions } from "./read-time.ts";

const now = Date.parse("2026-01-01T00:00:00Z");

function read(value: string, options: TimeOptions = {}): string {
  const times = openTimeReader(options, now);
  if (isDefect(times)) return times.code;
  const at = times(value);
  return typeof at === "number" ? new Date(at * 1000).toISOString().replace(".000Z", "Z") : at.code;
}

test.each([
  ["1714557600", {}, "2024-05-01T10:00:00Z"],
  ["2024-05-01T12:00:00+02:00", {}, "2024-05-01T10:00:00Z"],
  ["2024-05-01 12:00:00.123456+0200", {}, "2024-05-01T10:00:00Z"],
  ["2024-05-01T10:00Z", {}, "2024-05-01T10:00:00Z"],
  ["20240501T100000Z", {}, "2024-05-01T10:00:00Z"],
  ["2024-05-01T06:30:00-03:30", {}, "2024-05-01T10:00:00Z"],
  ["1714557600.75", { format: "unix" }, "2024-05-01T10:00:00Z"],
  ["1714557600999", { format: "unix_ms" }, "2024-05-01T10:00:00Z"],
  ["1714557600999999", { format: "unix_us" }, "2024-05-01T10:00:00Z"],
  ["2024-05-01T12:00:00", { format: "iso", zone: "Europe/Paris" }, "2024-05-01T10:00:00Z"],
  ["20240501120000", { format: "yyyyMMddHHmmss", zone: "Europe/Paris" }, "2024-05-01T10:00:00Z"],
  ["1/5/24 9h05", { format: "d/M/yy H'h'mm", zone: "Europe/Paris" }, "2024-05-01T07:05:00Z"],
  ["May 1, 2024 12:00:00 AM", { format: "MMM d, yyyy hh:mm:ss a", zone: "UTC" }, "2024-05-01T00:00:00Z"],
  ["Wed, 01 May 2024 12:00:00 +0200", { format: "EEE, dd MMM yyyy HH:mm:ss XX" }, "2024-05-01T10:00:00Z"],
  ["2024-05-01 15:30:00 +05:30", { format: "yyyy-MM-dd HH:mm:ss XXX", zone: "UTC" }, "2024-05-01T10:00:00Z"],
  [
    "2024-10-27 02:30:00",
    { format: "yyyy-MM-dd HH:mm:ss", zone: "Europe/Paris", ambiguous: "earlier" },
    "2024-10-27T00:30:00Z",
  ],
  [
    "2024-10-27 02:30:00",
    { format: "yyyy-MM-dd HH:mm:ss", zone: "Europe/Paris", ambiguous: "later" },
    "2024-10-27T01:30:00Z",
  ],
  ["2026-01-02T00:00:00Z", {}, "2026-01-02T00:00:00Z"],
] as const)("reads %s", (value, options, at) => {
  expect(read(value, options)).toBe(at);
});

test.each([
  ["2024-05-01 12:00:00", {}, "time_format_missing"],
  ["2024-05-01 12:00:00", { zone: "Europe/Paris" }, "time_format_missing"],
  ["2024-02-30T12:00:00Z", {}, "time_impossible"],
  ["2024-05-01T24:00:00Z", {}, "time_impossible"],
  ["2024-05-01T12:00:00+15:00", {}, "time_impossible"],
  ["Tue, 01 May 2024 12:00:00 +0200", { format: "EEE, dd MMM yyyy HH:mm:ss XX" }, "time_impossible"],
  ["13:00 PM 2024-05-01", { format: "hh:mm a yyyy-MM-dd", zone: "UTC" }, "time_impossible"],
  ["2024-05-01 12:00:00 and more", { format: "yyyy-MM-dd HH:mm:ss", zone: "UTC" }, "time_format_mismatch"],
  ["2024-05-01 12:00", { format: "yyyy-MM-dd HH:mm:ss", zone: "UTC" }, "time_format_mismatch"],
  ["1714557600000", { format: "unix" }, "time_in_milliseconds"],
  ["1714557600", { format: "unix_ms" }, "time_too_early"],
  ["2026-01-02T00:00:01Z", {}, "time_in_future"],
  ["2026-01-02 00:01", { format: "yyyy-MM-dd HH:mm", zone: "UTC" }, "time_in_future"],
  ["9999-01-02 00:00", { format: "yyyy-MM-dd HH:mm", zone: "Europe/Paris" }, "time_in_future"],
  ["0024-01-02 00:00", { format: "yyyy-MM-dd HH:mm", zone: "Europe/Paris" }, "time_too_early"],
  ["", { format: "HH:mm" }, "time_format_bad"],
  ["", { format: "yyyy-MM-dd" }, "time_format_bad"],
  ["", { format: "yyyy-MM-dd hh:mm", zone: "UTC" }, "time_format_bad"],
  ["", { format: "yyyy-MM-dd HH:mm 'o", zone: "UTC" }, "time_format_bad"],
  ["", { format: "yyyy-yy-MM-dd HH:mm", zone: "UTC" }, "time_format_bad"],
] as const)("rejects %s with %o", (value, options, code) => {
  expect(read(value, options)).toBe(code);
});

test.each([
  ["Europe/Paris", 2024],
  ["America/New_York", 2025],
  ["Australia/Lord_Howe", 2024],
  ["Africa/Casablanca", 2025],
])("reads every local time of %s in %i", (zone, year) => {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
  const [earlier, later] = (["earlier", "later"] as const).map((ambiguous) =>
    openTimeReader({ format: "yyyy-MM-dd HH:mm:ss", zone, ambiguous }, now),
  );
  if (typeof earlier !== "function" || typeof later !== "function") throw new Error("not opened");
  for (let at = Date.UTC(year, 0, 1) / 1000; at < Date.UTC(year + 1, 0, 1) / 1000; at += 1800) {
    const shown = format.format(at * 1000);
    if (earlier(shown) !== at && later(shown) !== at) throw new Error(`${shown} is not ${at}`);
  }
});

test.each([
  [{ format: "yyyy-MM-dd HH:mm:ss", zone: "UTC" }, "2024-05-01 12:00:00"],
  [{}, "2024-05-01T12:00:00Z"],
])("says that a manifest has one format when it reads times of two", (options, first) => {
  const times = openTimeReader(options, now);
  if (isDefect(times)) throw new Error(times.detail);
  const fixOf = (value: string) => {
    const time = times(value);
    return typeof time === "number" ? "" : time.fix;
  };
  const advice = fixOf("31/05/2024 12:00");
  expect(advice).toMatch(/[Ss]et .*--time-format/);
  expect(fixOf(first)).toBe("");
  expect(fixOf("31/05/2024 12:00")).toBe(
    `${advice} Other rows have another format: move these rows to a manifest of their own.`,
  );
});
