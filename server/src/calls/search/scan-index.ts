import type { Db } from "../../platform/database/database.ts";
import { runStatement } from "../../platform/database/prepared-statement.ts";
import type { CallFilters, IdRange } from "./call-filters.ts";
import { coversAllFilters, filterValues, type IndexScan, indexScansFor } from "./index-scans.ts";

export interface ScanResult {
  readonly ids: readonly string[];
  /** The last id up to which the scan is complete, or null at the end of the index. */
  readonly edge: string | null;
}

/** Index entries to read: in a trial scan, at least per step, per step without a known hit rate, and in total before a short page. */
const scanSizes = { trial: 200, minimum: 1_000, default: 2_000, maximum: 10_000 } as const;

export interface ScanPlan {
  readonly workspaceId: string;
  readonly filters: CallFilters;
  readonly range: IdRange;
  /** Number of ids to find. */
  readonly page: number;
}

/**
 * Finds the newest matching calls at a bounded cost. Runs a trial scan on every usable index and continues with the most
 * selective one: the one whose trial reached furthest back in time.
 */
export async function scanIndex(tx: Db, plan: ScanPlan): Promise<ScanResult> {
  const tried: { scan: IndexScan; result: ScanResult }[] = [];
  for (const scan of indexScansFor(plan.filters)) {
    const first = coversAllFilters(scan) ? plan.page : Math.max(scanSizes.trial, plan.page);
    const result = await runScan(tx, plan, scan, { below: plan.range.below, entries: first, missing: plan.page });
    if (result.edge === null || result.ids.length >= plan.page) return result;
    tried.push({ scan, result });
  }
  const [best] = tried.sort((a, b) => ((a.result.edge ?? "") < (b.result.edge ?? "") ? -1 : 1));
  if (!best) return { ids: [], edge: null };
  return continueScan(tx, plan, best.scan, best.result);
}

/** Continues where the trial scan ended, until the page is full or the entry limit is reached. */
async function continueScan(tx: Db, plan: ScanPlan, scan: IndexScan, trial: ScanResult): Promise<ScanResult> {
  let { ids, edge } = trial;
  let scanned = 0;
  while (edge !== null && ids.length < plan.page && scanned < scanSizes.maximum) {
    const missing = plan.page - ids.length;
    // Entries that should fill the page at the hit rate so far, plus 30%.
    const likely = ids.length > 0 ? (1.3 * missing * (scanSizes.trial + scanned)) / ids.length : scanSizes.default;
    const entries = Math.ceil(Math.min(scanSizes.maximum - scanned, Math.max(scanSizes.minimum, likely)));
    const result = await runScan(tx, plan, scan, { below: edge, entries, missing });
    ids = [...ids, ...result.ids];
    edge = result.edge;
    scanned += Math.max(entries, perPrefix(scan, { entries, missing }) * scan.prefixes);
  }
  return { ids, edge };
}

interface Step {
  readonly below: string;
  readonly entries: number;
  readonly missing: number;
}

async function runScan(
  tx: Db,
  plan: ScanPlan,
  scan: IndexScan,
  { below, entries, missing }: Step,
): Promise<ScanResult> {
  const { workspaceId, range } = plan;
  const each = perPrefix(scan, { entries, missing });
  const [found] = await runStatement<{ edge: string | null; ids: string[] }>(tx, scan.statement, {
    workspaceId,
    below,
    floor: range.floor,
    scanLimit: each,
    page: missing,
    ...filterValues(scan.rest),
    ...scan.values,
  });
  return { ids: found?.ids ?? [], edge: found?.edge ?? null };
}

/** Splits the entries among the prefixes. Each gets at least enough to fill a page, within the total limit. */
function perPrefix({ prefixes }: IndexScan, { entries, missing }: Pick<Step, "entries" | "missing">): number {
  const share = (count: number) => Math.ceil(count / Math.max(1, prefixes));
  return Math.min(Math.max(missing, share(entries)), Math.max(share(scanSizes.maximum), 1));
}
