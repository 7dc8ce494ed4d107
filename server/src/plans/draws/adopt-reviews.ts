import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { runHandlers } from "../../platform/hooks.ts";
import { countChange, readBefore } from "../../scores/count-review.ts";
import { reviewAdopted } from "../hooks.ts";
import { findExclusions, keepReviewers } from "./exclusions.ts";
import type { DrawRow } from "./find-draw.ts";

const batchSize = 100;

interface EarlierReview {
  readonly assignmentId: string;
  readonly agentId: string;
  readonly id: string;
  readonly reviewerId: string;
  readonly state: string;
}

/**
 * Drawn calls that nobody else can review, because those who may have reviewed them already: such a review becomes the drawn one, so
 * that it counts once.
 */
export async function adoptReviews(app: App, draw: DrawRow, signal: AbortSignal | undefined): Promise<void> {
  const { workspaceId } = draw;
  for (let last = "", isEnd = false; !isEnd; ) {
    signal?.throwIfAborted();
    const { found, reviewers, isExcluded } = await inWorkspace(app, workspaceId, async (tx) => {
      const reviews = await findEarlierReviews(tx, draw, last);
      const agentIds = new Set(reviews.map(({ agentId }) => agentId));
      return { found: reviews, ...(await findExclusions(tx, draw, agentIds)) };
    });
    const mayReview = new Set(reviewers.map((reviewer) => reviewer.id));
    for (const review of found) {
      // Each in its own transaction: the sums of one are locked after the next review otherwise.
      if (mayReview.has(review.reviewerId) && !isExcluded(review.reviewerId, review.agentId))
        await inWorkspace(app, workspaceId, (tx) => adopt(app, tx, workspaceId, review));
    }
    last = found.at(-1)?.assignmentId ?? last;
    isEnd = found.length < batchSize;
  }
}

async function findEarlierReviews(tx: Db, { workspaceId, id }: DrawRow, last: string): Promise<EarlierReview[]> {
  const { rows } = await sql<EarlierReview>`
    select assignment.id as assignment_id, assignment.agent_id, review.id, review.reviewer_id, review.state
    from assignment join lateral (
      select id, reviewer_id, state from review where review.workspace_id = ${workspaceId}
        and review.call_id = assignment.call_id and review.scorecard_id = assignment.scorecard_id
        and review.agent_id = assignment.agent_id and selection = 'picked' and state <> 'voided' and revision > 0
      order by review.id limit 1) as review on true
    where assignment.workspace_id = ${workspaceId} and assignment.draw_id = ${id} and assignment.reviewer_id is null
      and assignment.kind = 'first' and assignment.state = 'open' ${last ? sql`and assignment.id > ${last}` : sql``}
    order by assignment.id limit ${batchSize}`.execute(tx);
  return rows;
}

async function adopt(
  app: App,
  tx: Db,
  workspaceId: string,
  { assignmentId, id, reviewerId, state }: EarlierReview,
): Promise<void> {
  if (!(await keepReviewers(tx, workspaceId, [reviewerId])).has(reviewerId)) return;
  const locked = await tx
    .selectFrom("review")
    .select("state")
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .where("selection", "=", "picked")
    .where("state", "=", state)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!locked) return;
  const review = { workspaceId, id, state };
  const before = await readBefore(tx, review);
  await runHandlers(app, tx, reviewAdopted, { workspaceId, reviewId: id });
  const isDone = state !== "draft";
  await tx
    .updateTable("assignment")
    .set({ reviewerId, reviewId: id, ...(isDone && { state: "done", doneAt: sql<Date>`now()` }) })
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", assignmentId)
    .where("state", "=", "open")
    .execute();
  if (isDone) await countChange(tx, review, before);
}
