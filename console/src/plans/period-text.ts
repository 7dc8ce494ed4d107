import { useFormat } from "../ui/time/use-format.ts";

/** Formats the first and last day of a period, which are local to the plan: "2026-11-09/2026-11-15". */
export function usePeriodText(): (period: string) => string {
  const { language } = useFormat();
  // The days have no time zone.
  const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
  return (period) => {
    const [first = "", last = ""] = period.split("/");
    const [from, to] = [new Date(`${first}T00:00:00Z`), new Date(`${last}T00:00:00Z`)];
    return Number.isNaN(from.getTime()) || Number.isNaN(to.getTime()) ? period : format.formatRange(from, to);
  };
}
