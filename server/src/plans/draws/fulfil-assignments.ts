import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";

interface FulfillingReview {
  readonly workspaceId: string;
  readonly id: string;
  readonly callId: string;
  readonly agentId: string;
  readonly scorecardId: string;
  readonly reviewerId: string;
}

/** Condition on assignment: the second review of the call is by this reviewer. */
const hasSecondBy = (reviewerId: RawBuilder<unknown>) => sql`exists (select from assignment as second
  where second.workspace_id = assignment.workspace_id and second.call_id = assignment.call_id
    and second.draw_id = assignment.draw_id and second.kind = 'second' and second.state <> 'skipped'
    and second.reviewer_id = ${reviewerId})`;

/**
 * A call that several plans drew is reviewed once with a scorecard: the review finishes the other assignments, also if their reviewers
 * have drafts.
 */
export async function fulfilAssignments(tx: Db, review: FulfillingReview): Promise<void> {
  await sql`
    update assignment set state = 'done', done_at = now(), review_id = ${review.id}, reviewer_id = ${review.reviewerId}
    where workspace_id = ${review.workspaceId} and call_id = ${review.callId} and scorecard_id = ${review.scorecardId}
      and agent_id = ${review.agentId} and kind = 'first' and state = 'open'
      and not ${hasSecondBy(sql`${review.reviewerId}::uuid`)}`.execute(tx);
}

/** Whether the call was drawn and reviewed for the agent, in another review than this one. */
export async function isFulfilledByOther(tx: Db, review: FulfillingReview): Promise<boolean> {
  const { rows } = await sql`
    select from assignment
    where workspace_id = ${review.workspaceId} and call_id = ${review.callId} and scorecard_id = ${review.scorecardId}
      and agent_id = ${review.agentId} and kind = 'first' and state = 'done'
      and not exists (select from assignment as own where own.workspace_id = ${review.workspaceId} and own.review_id = ${review.id})
    limit 1`.execute(tx);
  return rows.length > 0;
}

/** Finishes assignments of calls that were reviewed with the same scorecard for another draw. */
export async function fulfilByOtherDraws(tx: Db, workspaceId: string, ids: readonly string[]): Promise<void> {
  await sql`
    update assignment set state = 'done', done_at = now(), review_id = other.review_id, reviewer_id = other.reviewer_id
    from assignment as other
    where assignment.workspace_id = ${workspaceId} and assignment.id = any (${[...ids]}::uuid[]) and assignment.kind = 'first'
      and assignment.state = 'open' and assignment.review_id is null and other.workspace_id = ${workspaceId}
      and other.call_id = assignment.call_id and other.scorecard_id = assignment.scorecard_id
      and other.agent_id = assignment.agent_id and other.draw_id <> assignment.draw_id
      and other.kind = 'first' and other.state = 'done' and not ${hasSecondBy(sql`other.reviewer_id`)}`.execute(tx);
}
