import type { ImportSummaryBody } from "@hearback/sdk";
import { maxSeries } from "../charts/max-series.ts";

interface Series {
  /** null: the remaining campaigns. */
  readonly id: string | null;
  readonly name: string | undefined;
  readonly total: number;
  /** One count per day. */
  readonly counts: readonly number[];
}

export interface Chart {
  readonly days: readonly string[];
  /** Most calls first, remaining campaigns last. */
  readonly series: readonly Series[];
  readonly totals: readonly number[];
}

/** Data for the chart and the table. */
export function toChart({ days, campaigns, imported }: ImportSummaryBody): Chart {
  const shown = campaigns.filter((campaign) => campaign.imported > 0).slice(0, maxSeries);
  const countsOf = (belongs: (id: string | null) => boolean) =>
    days.map((day) => sum(imported.filter((one) => one.day === day && belongs(one.campaign_id))));
  const isShown = (id: string | null) => shown.some((campaign) => campaign.id === id);
  const named = shown.map(({ id, name }) => ({ id, name, counts: countsOf((one) => one === id) }));
  const others = { id: null, name: undefined, counts: countsOf((one) => !isShown(one)) };
  const series = [...named, others]
    .map((one) => ({ ...one, total: one.counts.reduce((all, count) => all + count, 0) }))
    .filter(({ total }) => total > 0);
  return { days, series, totals: countsOf(() => true) };
}

const sum = (rows: readonly { readonly imported: number }[]) => rows.reduce((all, { imported }) => all + imported, 0);

export interface Tiles {
  readonly today: number;
  readonly week: number;
  readonly waiting: number;
  readonly failed: number;
}

export function toTiles({ days, imported }: ImportSummaryBody): Tiles {
  const since = days.at(-7) ?? days[0] ?? "";
  return {
    today: sum(imported.filter(({ day }) => day === days.at(-1))),
    week: sum(imported.filter(({ day }) => day >= since)),
    waiting: imported.reduce((all, { waiting }) => all + waiting, 0),
    failed: imported.reduce((all, { failed }) => all + failed, 0),
  };
}

export interface Reason {
  readonly code: string;
  readonly count: number;
  /** Affected campaigns, most frequent first. null: no campaign. */
  readonly campaigns: readonly (string | null)[];
}

/** Groups by reason across campaigns. */
export function byReason(rows: ImportSummaryBody["failures"]): Reason[] {
  return [...Map.groupBy(rows, ({ code }) => code)]
    .map(([code, same]) => ({
      code,
      count: same.reduce((all, { count }) => all + count, 0),
      campaigns: same.map(({ campaign_id }) => campaign_id),
    }))
    .sort((a, b) => b.count - a.count);
}
