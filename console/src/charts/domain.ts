import { nice } from "d3-array";

interface Estimate {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

const highest = 10_000;

/** Range of an axis in hundredths: from a round number below everything shown, to 100. */
export function scoreDomain(estimates: readonly Estimate[], target: number | null): [number, number] {
  const shown = estimates.flatMap(({ value, low }) => [value, low]).concat(target);
  const lowest = Math.min(highest - 1000, ...shown.filter((one) => one !== null));
  return [Math.max(0, Math.floor(lowest / 1000) * 1000), highest];
}

/** Range of an axis in hundredths: from 0 to a round number above everything shown. */
export function rateDomain(estimates: readonly Estimate[]): [number, number] {
  const shown = estimates.flatMap(({ value, high }) => [value, high]);
  const most = Math.max(1000, ...shown.filter((one) => one !== null));
  return [0, Math.min(highest, Math.ceil(most / 1000) * 1000)];
}

/** Range of an axis of differences in hundredths: 0 is in the middle. */
export function differenceDomain(estimates: readonly Estimate[]): [number, number] {
  const shown = estimates.flatMap(({ value, low, high }) => [value, low, high]).filter((one) => one !== null);
  const most = Math.max(500, ...shown.map(Math.abs));
  const end = Math.min(highest, Math.ceil(most / 500) * 500);
  return [-end, end];
}

/** Range of an axis of counts: from 0 to a round number above everything shown. */
export const countDomain = (counts: readonly number[]): [number, number] => nice(0, Math.max(2, ...counts), 4);

/** Where an interval lies. Unclear: it contains the target. */
export function positionOf({ low, high }: Estimate, target: number | null): "above" | "below" | "unclear" | "plain" {
  if (target === null) return "plain";
  if (low === null || high === null || (low <= target && target <= high)) return "unclear";
  return low > target ? "above" : "below";
}

const weekMs = 7 * 24 * 3600_000;

/** All Mondays from the first to the last week, so that weeks without reviews leave a gap. */
export function fillWeeks<Point extends { readonly week: string }>(
  points: readonly Point[],
): readonly { readonly week: string; readonly point: Point | undefined }[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return [];
  const known = new Map(points.map((point) => [point.week, point]));
  const count = Math.round((Date.parse(last.week) - Date.parse(first.week)) / weekMs) + 1;
  return Array.from({ length: count }, (_, n) => {
    const week = new Date(Date.parse(first.week) + n * weekMs).toISOString().slice(0, 10);
    return { week, point: known.get(week) };
  });
}
