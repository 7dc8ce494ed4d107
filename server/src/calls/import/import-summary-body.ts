import type { ImportSummaryBody } from "@hearback/contract";
import type { ImportSummary } from "./import-summary.ts";

export function toImportSummaryBody(summary: ImportSummary): ImportSummaryBody {
  const { zone, days, to, campaigns, imported, refused } = summary;
  const byCampaign = sumBy(imported, ({ campaignId }) => [campaignId]);
  const importedOf = (id: string) => byCampaign.find(({ key: [campaignId] }) => campaignId === id)?.count ?? 0;
  const failed = imported.filter(({ status }) => status === "failed");
  return {
    time_zone: zone,
    from: (days[0]?.startsAt ?? to).toISOString(),
    to: to.toISOString(),
    days: days.map(({ day }) => day),
    campaigns: campaigns.map(({ id, name }) => ({ id, name, imported: importedOf(id) })),
    imported: sumBy(imported, ({ day, campaignId }) => [day, campaignId]).map(
      ({ key: [day, campaignId], count, rows }) => {
        const of = (status: string) => total(rows.filter((row) => row.status === status));
        const states = { ready: of("ready"), waiting: of("received"), failed: of("failed") };
        return { day: days[day]?.day ?? "", campaign_id: campaignId, imported: count, ...states };
      },
    ),
    failures: sortByCount(sumBy(failed, ({ failureCode, campaignId }) => [failureCode ?? "", campaignId])),
    refusals: sortByCount(sumBy(refused, ({ code, campaignId }) => [code, campaignId])),
  };
}

const total = (rows: readonly { readonly count: number }[]) => rows.reduce((sum, { count }) => sum + count, 0);

/** Groups rows by key and sums their counts. */
function sumBy<Row extends { readonly count: number }, Key extends readonly unknown[]>(
  rows: readonly Row[],
  keyOf: (row: Row) => readonly [...Key],
) {
  return [...Map.groupBy(rows, (row) => JSON.stringify(keyOf(row))).values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ key: keyOf(first), count: total(group), rows: group }] : [];
  });
}

const sortByCount = (counts: readonly { readonly key: readonly [string, string | null]; readonly count: number }[]) =>
  counts
    .map(({ key: [code, campaign_id], count }) => ({ code, campaign_id, count }))
    .sort((a, b) => b.count - a.count || a.code.localeCompare(b.code));
