import type { ImportSummaryBody } from "@hearback/contract";
import type { ImportSummary } from "./import-summary.ts";

export function toImportSummaryBody(
  { days, to, campaigns, came, refused }: ImportSummary,
  zone: string,
): ImportSummaryBody {
  const byCampaign = counted(came, ({ campaignId }) => [campaignId]);
  const importedOf = (id: string) => byCampaign.find(({ key: [campaignId] }) => campaignId === id)?.count ?? 0;
  const failed = came.filter(({ status }) => status === "failed");
  return {
    time_zone: zone,
    from: (days[0]?.startsAt ?? to).toISOString(),
    to: to.toISOString(),
    days: days.map(({ day }) => day),
    campaigns: campaigns.map(({ id, name }) => ({ id, name, imported: importedOf(id) })),
    imported: counted(came, ({ day, campaignId }) => [day, campaignId]).map(
      ({ key: [day, campaignId], count, rows }) => {
        const of = (status: string) => total(rows.filter((row) => row.status === status));
        const states = { ready: of("ready"), waiting: of("received"), failed: of("failed") };
        return { day: days[day]?.day ?? "", campaign_id: campaignId, imported: count, ...states };
      },
    ),
    failures: mostFirst(counted(failed, ({ failureCode, campaignId }) => [failureCode ?? "", campaignId])),
    refusals: mostFirst(counted(refused, ({ code, campaignId }) => [code, campaignId])),
  };
}

const total = (rows: readonly { readonly count: number }[]) => rows.reduce((sum, { count }) => sum + count, 0);

/** Rows that have the same key, together. */
function counted<Row extends { readonly count: number }, Key extends readonly unknown[]>(
  rows: readonly Row[],
  keyOf: (row: Row) => readonly [...Key],
) {
  return [...Map.groupBy(rows, (row) => JSON.stringify(keyOf(row))).values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ key: keyOf(first), count: total(group), rows: group }] : [];
  });
}

const mostFirst = (counts: readonly { readonly key: readonly [string, string | null]; readonly count: number }[]) =>
  counts
    .map(({ key: [code, campaign_id], count }) => ({ code, campaign_id, count }))
    .sort((a, b) => b.count - a.count || a.code.localeCompare(b.code));
