import type { DisputeBody } from "@hearback/contract";
import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { listDisputesOf } from "./find-dispute.ts";
import type { ReviewRow } from "./find-review.ts";
import { isOneOf, withMakers } from "./impartial.ts";
import type { ReviewViewer } from "./review-viewer.ts";

/** The parties of a dispute, who neither decide it nor choose who does. */
const partiesOf = ({ reviewerId, agentId }: ReviewRow) => [reviewerId, agentId];

/** Users who have to review the call, or have a draft of it: they do not see what others think about it. */
async function findCurrentReviewers(tx: Db, { workspaceId, callId }: ReviewRow): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select reviewer_id as id from assignment where workspace_id = ${workspaceId} and call_id = ${callId} and state = 'open'
      and reviewer_id is not null
    union select reviewer_id from review where workspace_id = ${workspaceId} and call_id = ${callId} and state = 'draft'
    limit 1000`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Users and keys who do not decide about a review: reviewer, agent, who decided before, and who is to review the call. */
export async function findExcludedArbiters(tx: Db, review: ReviewRow): Promise<string[]> {
  const earlier = (await listDisputesOf(tx, review)).map(({ resolved_by }) => resolved_by?.id);
  return [
    ...(await withMakers(tx, review.workspaceId, [
      ...partiesOf(review),
      ...earlier,
      ...(await findCurrentReviewers(tx, review)),
    ])),
  ];
}

/** Whether the viewer may choose who decides: neither the reviewer nor the agent. */
export const mayAssignArbiter = async (tx: Db, review: ReviewRow, viewer: ReviewViewer): Promise<boolean> =>
  !(await isOneOf(tx, viewer, partiesOf(review)));

/** Whether the viewer may decide: the arbiter or a supervisor, but not the reviewer, the agent or an earlier decider. */
export async function isArbiter(
  tx: Db,
  review: ReviewRow,
  { arbiter_id }: DisputeBody,
  viewer: ReviewViewer,
): Promise<boolean> {
  if (arbiter_id !== viewer.id && viewer.sees !== "all") return false;
  return !(await isOneOf(tx, viewer, await findExcludedArbiters(tx, review)));
}
