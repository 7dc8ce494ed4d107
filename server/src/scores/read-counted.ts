import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { CountedReview } from "./contribution.ts";

/** Columns of a CountedReview. Conditions on `review` follow. */
export const selectCounted = sql`
  select review.id, review.call_id, review.agent_id, review.team_id, review.campaign_id, review.scorecard_id, review.version,
    review.selection, floor(extract(epoch from released_at))::bigint as released_at,
    floor(extract(epoch from acknowledged_at))::bigint as acknowledged_at, latest.result,
    (select count(*) from dispute where dispute.workspace_id = review.workspace_id and dispute.review_id = review.id) as disputes,
    (select count(*) from dispute where dispute.workspace_id = review.workspace_id and dispute.review_id = review.id
      and resolved_revision is not null) as disputes_changed
  from review join review_revision as latest
    on latest.workspace_id = review.workspace_id and latest.review_id = review.id and latest.number = review.revision`;

/** Those of the reviews that count: released and not voided. */
export async function readCounted(tx: Db, workspaceId: string, ids: readonly string[]): Promise<CountedReview[]> {
  const { rows } = await sql<CountedReview>`${selectCounted}
    where review.workspace_id = ${workspaceId} and review.id = any (${[...ids]}::uuid[]) and state = 'released'`.execute(
    tx,
  );
  return rows;
}
