import type { Db } from "../platform/database/database.ts";
import { runStatement } from "../platform/database/prepared.ts";
import type { CallFilters, IdRange } from "./call-filters.ts";
import { answersAll, type Driver, driversOf, restValues } from "./search-drivers.ts";

/** What a walk met. */
export interface Walked {
  readonly ids: readonly string[];
  /** Down to this id every call was looked at; null: to the end. */
  readonly edge: string | null;
}

/** How many entries of an index are looked at: to try it, at once, and in all before a page is answered short. */
const walks = { first: 200, least: 1_000, unknown: 2_000, most: 10_000 } as const;

export interface WalkPlan {
  readonly workspaceId: string;
  readonly filters: CallFilters;
  readonly range: IdRange;
  /** How many ids are wanted. */
  readonly page: number;
}

/**
 * Finds the newest calls that match, at a bounded cost. Each index that could serve is tried for some entries; the one
 * that comes furthest back in time with them has the fewest calls between, and is followed.
 */
export async function walkCalls(tx: Db, plan: WalkPlan): Promise<Walked> {
  const tried: { driver: Driver; walked: Walked }[] = [];
  for (const driver of driversOf(plan.filters)) {
    const first = answersAll(driver) ? plan.page : Math.max(walks.first, plan.page);
    const walked = await walk(tx, plan, driver, { below: plan.range.below, entries: first, wanted: plan.page });
    if (walked.edge === null || walked.ids.length >= plan.page) return walked;
    tried.push({ driver, walked });
  }
  const [best] = tried.sort((one, other) => ((one.walked.edge ?? "") < (other.walked.edge ?? "") ? -1 : 1));
  if (!best) return { ids: [], edge: null };
  return follow(tx, plan, best.driver, best.walked);
}

/** Goes on where the first try ended, until the page is full or enough was looked at. */
async function follow(tx: Db, plan: WalkPlan, driver: Driver, begun: Walked): Promise<Walked> {
  let { ids, edge } = begun;
  let seen = 0;
  while (edge !== null && ids.length < plan.page && seen < walks.most) {
    const wanted = plan.page - ids.length;
    // As many as should fill the page, by what was met so far, and some more.
    const likely = ids.length > 0 ? (1.3 * wanted * (walks.first + seen)) / ids.length : walks.unknown;
    const entries = Math.ceil(Math.min(walks.most - seen, Math.max(walks.least, likely)));
    const walked = await walk(tx, plan, driver, { below: edge, entries, wanted });
    ids = [...ids, ...walked.ids];
    edge = walked.edge;
    seen += Math.max(entries, perPlace(driver, { entries, wanted }) * driver.places);
  }
  return { ids, edge };
}

interface Step {
  readonly below: string;
  readonly entries: number;
  readonly wanted: number;
}

async function walk(tx: Db, plan: WalkPlan, driver: Driver, { below, entries, wanted }: Step): Promise<Walked> {
  const { workspaceId, range } = plan;
  const each = perPlace(driver, { entries, wanted });
  const [found] = await runStatement<{ edge: string | null; ids: string[] }>(tx, driver.statement, {
    ...{ workspaceId, below, floor: range.floor, walk: each, page: wanted },
    ...restValues(driver.rest),
    ...driver.values,
  });
  return { ids: found?.ids ?? [], edge: found?.edge ?? null };
}

/** Shared out among the places; none gets so few that a page could not be filled from it, if that is not too much. */
function perPlace({ places }: Driver, { entries, wanted }: Pick<Step, "entries" | "wanted">): number {
  const share = (count: number) => Math.ceil(count / Math.max(1, places));
  return Math.min(Math.max(wanted, share(entries)), Math.max(share(walks.most), 1));
}
