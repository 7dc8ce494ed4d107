import { isTimeZone } from "@hearback/portable/time-zone";
import { instantOf, startOfDay, wallTime } from "../../ui/time/zoned-time.ts";
import type { TextKey } from "../texts.ts";

export const presets = ["today", "yesterday", "last-7-days", "last-30-days", "this-month"] as const;
export type Preset = (typeof presets)[number];

export const presetTexts: Readonly<Record<Preset, TextKey>> = {
  today: "periodToday",
  yesterday: "periodYesterday",
  "last-7-days": "period7Days",
  "last-30-days": "period30Days",
  "this-month": "periodMonth",
};

/**
 * Range of conversation times: a preset in a time zone, or two instants. Both mean the same calls in every time zone.
 */
export type Period =
  | { readonly preset: Preset; readonly zone: string }
  | { readonly preset?: undefined; readonly from?: Date | undefined; readonly to?: Date | undefined };

export interface Span {
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
}

/** Resolves a period to instants. Presets change at midnight. */
export function toSpan(period: Period, now: Date): Span {
  if (!period.preset) return { from: period.from, to: period.to };
  const { preset, zone } = period;
  const day = (daysLater: number) => startOfDay(now, zone, daysLater);
  if (preset === "yesterday") return { from: day(-1), to: day(0) };
  if (preset === "this-month") {
    const { year, month } = wallTime(now, zone);
    const first = { year, month, day: 1, hour: 0, minute: 0 };
    return { from: instantOf(first, zone), to: instantOf({ ...first, month: month + 1 }, zone) };
  }
  const days = { today: 0, "last-7-days": -6, "last-30-days": -29 }[preset];
  return { from: day(days), to: day(1) };
}

export interface PeriodParams {
  readonly period?: string | undefined;
  readonly zone?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Parses the period of the URL. Invalid values are ignored. */
export function readPeriod(params: PeriodParams): Period | undefined {
  const preset = presets.find((name) => name === params.period);
  if (preset && params.zone && isTimeZone(params.zone)) return { preset, zone: params.zone };
  const [from, to] = [readMoment(params.from), readMoment(params.to)];
  return from || to ? { from, to } : undefined;
}

export function writePeriod(period: Period | undefined): PeriodParams {
  if (period?.preset) return { period: period.preset, zone: period.zone };
  return { from: writeMoment(period?.from), to: writeMoment(period?.to) };
}

const latest = Date.UTC(9999, 11, 31);

function readMoment(text: string | undefined): Date | undefined {
  const at = text && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z$/.test(text) ? Date.parse(text) : Number.NaN;
  return at >= 0 && at <= latest ? new Date(at) : undefined;
}

const writeMoment = (at: Date | undefined) => at?.toISOString().replace(/(:00)?\.\d{3}Z$/, "Z");
