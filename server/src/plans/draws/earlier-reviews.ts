import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";

interface Calls {
  readonly workspaceId: string;
  readonly scorecardId: string;
  readonly callIds: readonly string[];
}

/** Who has reviewed the calls with the scorecard already. They do not get the calls again. */
export async function findEarlierReviewers(
  tx: Db,
  { workspaceId, scorecardId, callIds }: Calls,
): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ callId: string; reviewerIds: string[] }>`
    select call_id, array_agg(distinct reviewer_id::text) as reviewer_ids from review
    where workspace_id = ${workspaceId} and call_id = any (${[...callIds]}::uuid[]) and scorecard_id = ${scorecardId}
      and calibration_id is null and reviewer_id is not null and state <> 'voided' and revision > 0
    group by call_id`.execute(tx);
  return new Map(rows.map(({ callId, reviewerIds }) => [callId, new Set(reviewerIds)]));
}

/** Who has the calls on their queue for another draw with the scorecard. They review them once for both. */
export async function findOtherHolders(
  tx: Db,
  { workspaceId, scorecardId, callIds, drawId }: Calls & { readonly drawId: string },
): Promise<Map<string, string>> {
  const { rows } = await sql<{ callId: string; agentId: string; reviewerId: string }>`
    select distinct on (call_id) call_id, reviewer_id from assignment
    where workspace_id = ${workspaceId} and call_id = any (${[...callIds]}::uuid[]) and scorecard_id = ${scorecardId}
      and draw_id <> ${drawId} and kind = 'first' and state = 'open' and reviewer_id is not null
    order by call_id, id`.execute(tx);
  return new Map(rows.map(({ callId, reviewerId }) => [callId, reviewerId]));
}
