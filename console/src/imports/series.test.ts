import type { ImportSummaryBody } from "@hearback/sdk";
import { expect, test } from "vitest";
import { byReason, toChart, toTiles } from "./series.ts";

const days = Array.from({ length: 14 }, (_, n) => `2026-11-${String(n + 2).padStart(2, "0")}`);
const came = (day: string, campaign_id: string | null, imported: number, failed = 0) => ({
  day,
  campaign_id,
  imported,
  failed,
  waiting: 1,
  ready: imported - failed - 1,
});
const summary = (campaigns: number): ImportSummaryBody => ({
  time_zone: "UTC",
  from: "2026-11-02T00:00:00Z",
  to: "2026-11-15T12:00:00Z",
  days,
  failures: [],
  refusals: [],
  campaigns: Array.from({ length: campaigns }, (_, n) => ({ id: `c${n}`, name: `C${n}`, imported: 100 - n })),
  imported: [
    ...Array.from({ length: campaigns }, (_, n) => came("2026-11-15", `c${n}`, 10 + n)),
    came("2026-11-09", "c0", 5, 2),
    came("2026-11-02", null, 3),
  ],
});

test("six campaigns have their own series, the others share one", () => {
  const { series, totals } = toChart(summary(8));
  expect(series.map(({ name }) => name)).toEqual(["C0", "C1", "C2", "C3", "C4", "C5", undefined]);
  expect(series.at(-1)?.counts.at(-1)).toBe(16 + 17);
  expect(series.at(-1)?.counts[0]).toBe(3);
  expect(totals.at(-1)).toBe(10 + 11 + 12 + 13 + 14 + 15 + 16 + 17);
});

test("campaigns without imports have no series", () => {
  const alone = { ...summary(1), imported: [came("2026-11-15", "c0", 2)] };
  const refusedOnly = { id: "x", name: "X", imported: 0 };
  expect(toChart({ ...alone, campaigns: [...alone.campaigns, refusedOnly] }).series).toHaveLength(1);
});

test("the tiles count today, the last seven days, waiting and failed calls", () => {
  expect(toTiles(summary(1))).toEqual({ today: 10, week: 15, waiting: 3, failed: 2 });
});

test("groups a reason across campaigns, most frequent first", () => {
  const rows = [
    { code: "a", campaign_id: "x", count: 3 },
    { code: "b", campaign_id: "x", count: 4 },
    { code: "a", campaign_id: null, count: 2 },
  ];
  expect(byReason(rows)).toEqual([
    { code: "a", count: 5, campaigns: ["x", null] },
    { code: "b", count: 4, campaigns: ["x"] },
  ]);
});
