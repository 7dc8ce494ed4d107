import type { Db } from "../../platform/database/database.ts";
import { runStatement } from "../../platform/database/prepared-statement.ts";
import type { CallFilters } from "./call-filters.ts";
import { coversAllFilters, filterValues, type IndexScan, indexScansFor } from "./index-scans.ts";
import type { ScanPlan, ScanResult } from "./scan-plan.ts";
import { continueWords, tryWords } from "./scan-words.ts";

/** Index entries to read: in a trial scan, at least per step, per step without a known hit rate, and in total before a short page. */
const scanSizes = { trial: 200, minimum: 1_000, default: 2_000, maximum: 10_000 };
/** Fewer where each entry is compared with what was said, which reads the words of the call. */
const saidSizes: typeof scanSizes = { trial: 60, minimum: 250, default: 500, maximum: 2_000 };

const sizesFor = ({ said }: CallFilters) => (said ? saidSizes : scanSizes);

interface Trial {
  readonly result: ScanResult;
  readonly proceed: () => Promise<ScanResult>;
}

/**
 * Finds the newest matching calls at a bounded cost. Runs a trial scan on every usable index and continues with the most
 * selective one: the one whose trial reached furthest back in time.
 */
export async function scanIndex(tx: Db, plan: ScanPlan): Promise<ScanResult> {
  if (plan.filters.said?.every === "") return { ids: [], edge: null };
  const tried: Trial[] = [];
  for (const attempt of trialsFor(plan)) {
    const trial = await attempt(tx, plan);
    if (isDone(plan, trial.result)) return trial.result;
    tried.push(trial);
  }
  const [best] = tried.sort((a, b) => ((a.result.edge ?? "") < (b.result.edge ?? "") ? -1 : 1));
  return best ? best.proceed() : { ids: [], edge: null };
}

type Attempt = (tx: Db, plan: ScanPlan) => Promise<Trial>;

function trialsFor({ filters }: ScanPlan): Attempt[] {
  const scans = indexScansFor(filters);
  const attempts = scans.map(
    (scan): Attempt =>
      (tx, plan) =>
        tryScan(tx, plan, scan),
  );
  // The index of words has the calls of the whole workspace: `next` and the time would reveal what others said.
  if (!filters.said || filters.confined) return attempts;
  // Without another index, it is the best one unless almost every call matches.
  return scans.some(({ source }) => source !== "all") ? [...attempts, tryWordsScan] : [tryWordsScan, ...attempts];
}

async function tryScan(tx: Db, plan: ScanPlan, scan: IndexScan): Promise<Trial> {
  const first = coversAllFilters(scan) ? plan.page : Math.max(sizesFor(plan.filters).trial, plan.page);
  const result = await runScan(tx, plan, scan, { below: plan.range.below, entries: first, missing: plan.page });
  return { result, proceed: () => continueScan(tx, plan, scan, result) };
}

async function tryWordsScan(tx: Db, plan: ScanPlan): Promise<Trial> {
  const result = await tryWords(tx, plan);
  if (!result) return { result: { ids: [], edge: null }, proceed: async () => ({ ids: [], edge: null }) };
  return { result, proceed: () => continueWords(tx, plan, result) };
}

const isDone = ({ page }: ScanPlan, { ids, edge }: ScanResult) => edge === null || ids.length >= page;

/** Continues where the trial scan ended, until the page is full or the entry limit is reached. */
async function continueScan(tx: Db, plan: ScanPlan, scan: IndexScan, trial: ScanResult): Promise<ScanResult> {
  const sizes = sizesFor(plan.filters);
  let { ids, edge } = trial;
  let scanned = 0;
  while (edge !== null && ids.length < plan.page && scanned < sizes.maximum) {
    const missing = plan.page - ids.length;
    // Entries that should fill the page at the hit rate so far, plus 30%.
    const likely = ids.length > 0 ? (1.3 * missing * (sizes.trial + scanned)) / ids.length : sizes.default;
    const entries = Math.ceil(Math.min(sizes.maximum - scanned, Math.max(sizes.minimum, likely)));
    const result = await runScan(tx, plan, scan, { below: edge, entries, missing });
    ids = [...ids, ...result.ids];
    edge = result.edge;
    scanned += Math.max(entries, perPrefix(plan, scan, { entries, missing }) * scan.prefixes);
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
  const each = perPrefix(plan, scan, { entries, missing });
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
function perPrefix(
  { filters }: ScanPlan,
  { prefixes }: IndexScan,
  { entries, missing }: Pick<Step, "entries" | "missing">,
): number {
  const share = (count: number) => Math.ceil(count / Math.max(1, prefixes));
  return Math.min(Math.max(missing, share(entries)), Math.max(share(sizesFor(filters).maximum), 1));
}
