import type { SearchCallsQuery } from "@hearback/contract";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { genericPlanSettings, inWorkspace } from "../../platform/database/in-workspace.ts";
import { findAgentIds } from "../../users/find-agents.ts";
import type { CallViewer } from "../call/find-call.ts";
import { findCalls, type ListedCall } from "../call/find-calls.ts";
import { allReviews, type ReviewScope } from "../call/review-scope.ts";
import { byKey, type CallFilters, idRange, type ReviewFilter } from "./call-filters.ts";
import { type CountEstimate, estimateCount } from "./estimate-count.ts";
import { findPhoneNumbers, numbersEndingWith } from "./find-phone-numbers.ts";
import { readSaid } from "./said-filter.ts";
import { scanIndex } from "./scan-index.ts";

export interface CallPage {
  readonly calls: readonly ListedCall[];
  /** Cursor for the next page, or null on the last page. */
  readonly next: string | null;
  /** The page is short because the search stopped at its limit; older calls were not checked. */
  readonly short: boolean;
  readonly estimate?: CountEstimate;
}

export interface SearchViewer extends CallViewer {
  /** Default: all. */
  readonly reviews?: ReviewScope;
}

/** Returns a page of matching calls, newest first. The cost of any query is bounded. */
export async function searchCalls(app: App, caller: SearchViewer, query: SearchCallsQuery): Promise<CallPage> {
  const { workspaceId, reviews = allReviews } = caller;
  const search = async (tx: Db): Promise<CallPage> => {
    const filters = await toFilters(tx, caller, query);
    const { limit } = query;
    const plan = { workspaceId, filters, range: idRange(filters, query.cursor), page: limit + 1 };
    const { ids, edge } = await scanIndex(tx, plan);
    const calls = await findCalls(tx, workspaceId, ids.slice(0, limit), reviews);
    const more = ids.length > limit;
    return { calls, next: more ? (ids[limit - 1] ?? null) : edge, short: !more && edge !== null };
  };
  const page = await inWorkspace(app, workspaceId, search, genericPlanSettings);
  if (query.count !== "estimate") return page;
  const all = { ...query, cursor: undefined };
  const estimate = await estimateCount(app, workspaceId, (tx) => toFilters(tx, caller, all));
  return { ...page, estimate };
}

/** Intersects the query with what the caller may see. */
async function toFilters(tx: Db, caller: SearchViewer, query: SearchCallsQuery): Promise<CallFilters> {
  const { campaignIds: allowed, agentId: own, workspaceId } = caller;
  const requested = query.campaign && [...new Set(query.campaign)];
  const campaignIds = allowed && requested ? requested.filter((id) => allowed.includes(id)) : (requested ?? allowed);
  const agents = query.agent ? await findAgentIds(tx, workspaceId, query.agent) : null;
  const statuses = query.status && new Set(query.status);
  const confined = own ? "agent" : allowed ? "campaigns" : undefined;
  const phone = query.phone === undefined ? null : numbersEndingWith(query.phone);
  // `to` and the cursor bound the words, too.
  const range = idRange({ from: query.from, to: query.to, importedTo: query.imported_to }, query.cursor);
  const { said: words, said_by } = query;
  const said = await readSaid(tx, workspaceId, { said: words, said_by, range: confined ? null : range });
  return {
    campaignIds,
    confined,
    phone,
    phoneNumbers: phone && !confined ? await findPhoneNumbers(tx, workspaceId, phone) : undefined,
    agentIds: own && agents ? agents.filter((id) => id === own) : own ? [own] : agents,
    from: later(query.from, said?.since),
    to: query.to,
    importedFrom: query.imported_from,
    importedTo: query.imported_to,
    statuses: statuses && statuses.size < 3 ? [...statuses] : null,
    minDurationMs: query.min_duration ?? null,
    maxDurationMs: query.max_duration ?? null,
    metadata: byKey(query.metadata),
    review: toReviewFilter(caller.reviews ?? allReviews, query),
    said: said?.filter ?? null,
  };
}

const later = (a: Date | undefined, b: Date | undefined) => (a && b ? (a > b ? a : b) : (a ?? b));

function toReviewFilter(scope: ReviewScope, query: SearchCallsQuery): ReviewFilter | null {
  const { reviewed, review_outcome, reviewer, min_score, max_score } = query;
  const details = [review_outcome, reviewer, min_score, max_score];
  if (reviewed === undefined && details.every((detail) => detail === undefined)) return null;
  return {
    ...scope,
    reviewed: reviewed ?? true,
    outcomes: review_outcome ? [...new Set(review_outcome)] : null,
    reviewerIds: reviewer ? [...new Set(reviewer)] : null,
    minScore: min_score ?? null,
    maxScore: max_score ?? null,
  };
}
