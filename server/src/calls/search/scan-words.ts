import type { Db } from "../../platform/database/database.ts";
import { runStatement } from "../../platform/database/prepared-statement.ts";
import { firstCallId, happenedAt } from "./call-filters.ts";
import { filterValues, wordsScanFor } from "./index-scans.ts";
import type { ScanPlan, ScanResult } from "./scan-plan.ts";

/*
 * A GIN index has no order: it returns everything of a slice of time. The search reads slices from the newest call, each
 * eight times as wide as the one before, until enough calls were found. A rare word takes a few wide slices, a frequent one
 * the first narrow one.
 */

/** Entries to read: in a trial, in one statement after it, and in total before a short page. */
const sizes = { trial: 600, step: 1_000, maximum: 2_000 } as const;
const growth = 8;
const mostSlices = 120;
const mostStatements = 6;
/** A page is short after this time, too: a database whose index is not in memory reads fewer entries. */
const mostMs = 250;
const narrowest = 60_000;
const hour = 60 * 60_000;
const day = 24 * hour;

/** Where a scan continues, and how wide its next slice is. */
export interface WordsPosition {
  readonly below: string;
  readonly widthMs: number;
  /** The oldest call in the range of the search. */
  readonly oldest: string;
}

export interface WordsScan extends ScanResult {
  readonly position: WordsPosition;
  readonly entries: number;
  /** The entries of the narrowest slice are more than one statement reads. */
  readonly stuck: boolean;
}

/** The first position: a slice with the newest calls of the workspace. Null: there are none in the range. */
function openPosition({ filters, range }: ScanPlan): WordsPosition | null {
  const extent = filters.said?.extent;
  if (!extent) return null;
  const { newest, later, oldest } = extent;
  const newestMs = happenedAt(newest).getTime();
  const end = firstCallId(newestMs + 1);
  return {
    below: end < range.below ? end : range.below,
    widthMs: Math.max(1, newestMs - happenedAt(later ?? oldest).getTime()),
    // The range is narrower than the extent if words are searched for some months only.
    oldest: oldest > range.floor ? oldest : range.floor,
  };
}

interface Slice {
  readonly floor: string;
  readonly below: string;
  readonly widthMs: number;
}

/** Ids of calls have version 8, so that this is one of a call, as a cursor must be. */
const cursorAt = (ms: number) => `${firstCallId(ms).slice(0, 14)}8000-8000-000000000000`;

function startOfMonth(ms: number): number {
  const at = new Date(ms);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth());
}

/** Slices down to the oldest call. None is in two months, because a month is a partition. */
export function slicesFrom({ below, widthMs, oldest }: WordsPosition): Slice[] {
  const slices: Slice[] = [];
  let width = widthMs;
  for (let end = below; end > oldest && slices.length < mostSlices; width = Math.min(width * growth, 400 * day)) {
    // The last millisecond in the slice: `end` itself is excluded, and so is its time if it has the first id of it.
    const last = end <= cursorAt(happenedAt(end).getTime()) ? happenedAt(end).getTime() - 1 : happenedAt(end).getTime();
    const from = last - width;
    // The index knows hours and days. A narrower slice reads more of it than it needs.
    const unit = width > day ? day : width > hour ? hour : 1;
    const start = Math.max(Math.floor(from / unit) * unit, startOfMonth(last), 0);
    const floor = start > happenedAt(oldest).getTime() ? cursorAt(start) : oldest;
    slices.push({ floor, below: end, widthMs: width });
    end = floor;
  }
  return slices;
}

/** Reads slices from the position, until the page is full or `most` entries were read. */
async function readSlices(tx: Db, plan: ScanPlan, position: WordsPosition, most: number, page: number) {
  const { filters, workspaceId } = plan;
  const slices = slicesFrom(position);
  const [found] = await runStatement<{ entries: number; slices: number; ids: string[] }>(tx, wordsScanFor(filters), {
    workspaceId,
    floors: slices.map(({ floor }) => floor),
    belows: slices.map(({ below }) => below),
    every: filters.said?.every,
    query: filters.said?.query,
    most,
    page,
    ...filterValues(filters),
  });
  const { entries = 0, slices: read = 0, ids = [] } = found ?? {};
  const last = slices[read - 1];
  const next = slices[read];
  const below = last?.floor ?? position.below;
  // The next slice was too wide, or the slices of one statement have ended.
  const widthMs = Math.max(narrowest, next ? next.widthMs / growth : (last?.widthMs ?? position.widthMs));
  return {
    ids,
    entries,
    edge: below <= position.oldest ? null : below,
    position: { ...position, below, widthMs },
    stuck: read === 0 && position.widthMs <= narrowest,
  };
}

/** The first entries of the index of words. Null: the range has no calls. */
export async function tryWords(tx: Db, plan: ScanPlan): Promise<WordsScan | null> {
  const position = openPosition(plan);
  if (!position) return null;
  return readSlices(tx, plan, position, sizes.trial, plan.page);
}

/** Continues where the trial ended, until the page is full or enough was read. */
export async function continueWords(tx: Db, plan: ScanPlan, trial: WordsScan): Promise<ScanResult> {
  const end = performance.now() + mostMs;
  let { ids, edge, position, stuck } = trial;
  let entries = 0;
  for (
    let statements = 0;
    edge !== null && !stuck && ids.length < plan.page && entries < sizes.maximum && statements < mostStatements;
    statements++
  ) {
    if (performance.now() > end) break;
    const next = await readSlices(tx, plan, position, sizes.step, plan.page - ids.length);
    ids = [...ids, ...next.ids];
    ({ edge, position, stuck } = next);
    entries += next.entries;
  }
  return { ids, edge };
}
