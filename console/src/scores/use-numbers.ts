import type { ScoreEstimate } from "@hearback/sdk";
import { useScoreText } from "../ui/score.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { useTexts } from "./texts.ts";

/** Too few reviews give a range, and no value. */
export const withMinimum = (estimate: ScoreEstimate, isEnough: boolean): ScoreEstimate =>
  isEnough ? estimate : { ...estimate, value: null };

/** Formatters of estimates. */
export function useNumbers() {
  const { t } = useTexts();
  const { language, number } = useFormat();
  const score = useScoreText();
  const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });
  const hour = new Intl.NumberFormat(language, { style: "unit", unit: "hour", maximumFractionDigits: 1 });
  const day = new Intl.NumberFormat(language, { style: "unit", unit: "day", maximumFractionDigits: 1 });
  const signed = new Intl.NumberFormat(language, { signDisplay: "exceptZero", maximumFractionDigits: 2 });
  const minute = new Intl.NumberFormat(language, { style: "unit", unit: "minute", maximumFractionDigits: 1 });
  /** In minutes below one hour, in days above 48. */
  function formatHours(value: number): string {
    if (value < 1) return minute.format(value * 60);
    return value > 48 ? day.format(value / 24) : hour.format(value);
  }
  const rate = (hundredths: number) => percent.format(hundredths / 10_000);
  const interval = ({ low, high }: ScoreEstimate, format: (hundredths: number) => string) =>
    low === null || high === null ? t("noInterval") : t("interval", { low: format(low), high: format(high) });
  /** Cells of a table: value, both ends of the interval, and the count. */
  const cells = ({ value, low, high, n }: ScoreEstimate, format: (hundredths: number) => string) => [
    ...[value, low, high].map((one) => ({
      text: one === null ? "–" : format(one),
      value: one === null ? null : one / 100,
    })),
    { text: number(n), value: n },
  ];
  return {
    score,
    rate,
    difference: (hundredths: number) => signed.format(hundredths / 100),
    count: number,
    hours: formatHours,
    minutes: (value: number) => minute.format(value),
    interval,
    cells,
  };
}
