import { useSyncExternalStore } from "react";
import { useLanguage } from "../../i18n/folder-texts.ts";
import { onPreferences } from "../../preferences.ts";
import { readerZone } from "./reader-zone.ts";

/** Formatters for the reader's language and time zone. */
export function useFormat() {
  const language = useLanguage();
  const zone = useSyncExternalStore(onPreferences, readerZone);
  return formatFor(localeOf(language), zone);
}

const formats = new Map<string, Format>();

/** Shared by all components: the formatters of one take milliseconds to create. */
function formatFor(language: string, zone: string): Format {
  const key = `${language} ${zone}`;
  const format = formats.get(key) ?? makeFormat(language, zone);
  formats.set(key, format);
  return format;
}

/** Regional variant of the language, for date order and 12 or 24 hours. */
const localeOf = (language: string) =>
  navigator.languages.find((tag) => tag === language || tag.startsWith(`${language}-`)) ?? language;

export type Format = ReturnType<typeof makeFormat>;

export function makeFormat(language: string, zone: string) {
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short", timeZone: zone });
  const exact = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "long", timeZone: zone });
  const date = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: zone });
  const number = new Intl.NumberFormat(language);
  const percent = new Intl.NumberFormat(language, { style: "percent" });
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  const bytes = units.map((unit) => {
    const style = { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 } as const;
    return new Intl.NumberFormat(language, style);
  });
  return {
    /** With the region, for other Intl formats. */
    language,
    zone,
    dateTime: (at: string | Date) => dateTime.format(new Date(at)),
    /** With seconds and zone name, for tooltips. */
    exact: (at: string | Date) => exact.format(new Date(at)),
    date: (at: string | Date) => date.format(new Date(at)),
    number: (value: number) => number.format(value),
    /** 0.54 → "54%". */
    percent: (share: number) => percent.format(share),
    bytes(value: number): string {
      const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3));
      return bytes[power]?.format(value / 1000 ** power) ?? "";
    },
    /** 75,300 ms → "1:15". */
    duration: clock,
  };
}

/** Hours only if needed: 1:15, 1:00:15. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, two(seconds % 60)];
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
