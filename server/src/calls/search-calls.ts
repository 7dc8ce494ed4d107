import type { SearchCallsQuery } from "@hearback/contract";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace, steadyPlans } from "../platform/database/in-workspace.ts";
import { findAgentIds } from "../users/find-agents.ts";
import { byKey, type CallFilters, idRange } from "./call-filters.ts";
import { type CountEstimate, estimateCount } from "./estimate-count.ts";
import type { CallViewer } from "./find-call.ts";
import { findCalls, type ListedCall } from "./find-calls.ts";
import { walkCalls } from "./walk-calls.ts";

export interface CallPage {
  readonly calls: readonly ListedCall[];
  /** Where the next page begins; null: there is none. */
  readonly next: string | null;
  /** The page is short: what is older than `next` was not looked at. */
  readonly short: boolean;
  readonly estimate?: CountEstimate;
}

/** The newest calls that match, a page at a time. Whatever is asked, its cost is bounded. */
export async function searchCalls(app: App, caller: CallViewer, query: SearchCallsQuery): Promise<CallPage> {
  const { workspaceId } = caller;
  const search = async (tx: Db): Promise<CallPage> => {
    const filters = await toFilters(tx, caller, query);
    const { limit } = query;
    const plan = { workspaceId, filters, range: idRange(filters, query.after), page: limit + 1 };
    const { ids, edge } = await walkCalls(tx, plan);
    const calls = await findCalls(tx, workspaceId, ids.slice(0, limit));
    const more = ids.length > limit;
    return { calls, next: more ? (ids[limit - 1] ?? null) : edge, short: !more && edge !== null };
  };
  const page = await inWorkspace(app, workspaceId, search, steadyPlans);
  if (query.count !== "estimate") return page;
  const estimate = await estimateCount(app, workspaceId, (tx) => toFilters(tx, caller, query));
  return { ...page, estimate };
}

/** What the query means to this caller: who is restricted to campaigns, or to their own calls, never looks beyond them. */
async function toFilters(tx: Db, caller: CallViewer, query: SearchCallsQuery): Promise<CallFilters> {
  const { campaignIds: allowed, agentId: own, workspaceId } = caller;
  const asked = query.campaign && [...new Set(query.campaign)];
  const campaignIds = allowed && asked ? asked.filter((id) => allowed.includes(id)) : (asked ?? allowed);
  const agents = query.agent ? await findAgentIds(tx, workspaceId, query.agent) : null;
  const statuses = query.status && new Set(query.status);
  return {
    campaignIds,
    confined: own ? "agent" : allowed ? "campaigns" : undefined,
    agentIds: own && agents ? agents.filter((id) => id === own) : own ? [own] : agents,
    ...{ from: query.from, to: query.to, importedFrom: query.imported_from, importedTo: query.imported_to },
    statuses: statuses && statuses.size < 3 ? [...statuses] : null,
    minDurationMs: query.min_duration ?? null,
    maxDurationMs: query.max_duration ?? null,
    metadata: byKey(query.metadata),
  };
}
