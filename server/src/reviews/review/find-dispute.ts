import type { DisputeBody } from "@hearback/contract";
import { type Selectable, sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import type { Dispute, Review } from "../../platform/database/tables.ts";
import { isUuid } from "../../platform/is-uuid.ts";
import { disputeNotFound } from "../errors.ts";
import type { ReviewRow } from "./find-review.ts";

export type DisputeRow = Selectable<Dispute> &
  Pick<Selectable<Review>, "callId" | "reviewerType" | "reviewerId" | "scorecardId" | "version"> & {
    readonly scorecardName: string;
    readonly items: DisputeBody["items"];
  };

export const selectDisputes = (tx: Db, workspaceId: string) =>
  tx
    .selectFrom("dispute")
    .innerJoin("review", (join) =>
      join.onRef("review.workspaceId", "=", "dispute.workspaceId").onRef("review.id", "=", "dispute.reviewId"),
    )
    .innerJoin("scorecard", (join) =>
      join.onRef("scorecard.workspaceId", "=", "review.workspaceId").onRef("scorecard.id", "=", "review.scorecardId"),
    )
    .innerJoin("reviewRevision", (join) =>
      join
        .onRef("reviewRevision.workspaceId", "=", "dispute.workspaceId")
        .onRef("reviewRevision.reviewId", "=", "dispute.reviewId")
        .onRef("reviewRevision.number", "=", "dispute.revision"),
    )
    .selectAll("dispute")
    .select(["callId", "reviewerType", "reviewerId", "review.scorecardId", "review.version"])
    .select("scorecard.name as scorecardName")
    .select(
      sql<DisputeBody["items"]>`(select coalesce(jsonb_agg(jsonb_build_object('question_id', question_id,
          'answer', coalesce(review_revision.answers -> question_id, '{}'), 'proposed', proposed, 'reason', reason,
          'moment', moment, 'decision', decision, 'decided', decided, 'explanation', explanation) order by question_id), '[]')
        from dispute_item as item where item.workspace_id = dispute.workspace_id and item.dispute_id = dispute.id)`.as(
        "items",
      ),
    )
    .where("dispute.workspaceId", "=", workspaceId);

export const toDisputeBody = (row: DisputeRow): DisputeBody => ({
  id: row.id,
  review_id: row.reviewId,
  call_id: row.callId,
  agent_id: row.agentId,
  scorecard: { id: row.scorecardId, version: row.version, name: row.scorecardName },
  reviewer: { type: row.reviewerType as "user" | "key", id: row.reviewerId },
  level: row.level,
  state: row.state as DisputeBody["state"],
  arbiter_id: row.arbiterId,
  opened_at: row.openedAt.toISOString(),
  due_at: row.dueAt.toISOString(),
  overdue: row.state === "open" && row.dueAt.getTime() < Date.now(),
  resolved_at: row.resolvedAt?.toISOString() ?? null,
  resolved_by: row.resolvedByType ? { type: row.resolvedByType as "user" | "key", id: row.resolvedById } : null,
  test_case: row.testCase,
  items: row.items,
});

export async function findDispute(tx: Db, workspaceId: string, id: string): Promise<DisputeBody> {
  const found = isUuid(id)
    ? await selectDisputes(tx, workspaceId).where("dispute.id", "=", id).executeTakeFirst()
    : undefined;
  if (!found) throw disputeNotFound();
  return toDisputeBody(found);
}

/** The disputes of a review, oldest first: two, and two more after each correction that lowers the score. */
export async function listDisputesOf(tx: Db, { workspaceId, id }: ReviewRow): Promise<DisputeBody[]> {
  const found = await selectDisputes(tx, workspaceId)
    .where("dispute.reviewId", "=", id)
    .orderBy("dispute.id")
    .limit(200)
    .execute();
  return found.map(toDisputeBody);
}
