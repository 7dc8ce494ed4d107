import type { DisputeBody } from "@hearback/contract";
import { type Selectable, sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import type { Dispute } from "../../platform/database/tables.ts";
import { isUuid } from "../../platform/is-uuid.ts";
import { disputeNotFound } from "../errors.ts";
import type { ReviewRow } from "../find-review.ts";

export type DisputeRow = Selectable<Dispute> & { readonly items: DisputeBody["items"] };

export const selectDisputes = (tx: Db, workspaceId: string) =>
  tx
    .selectFrom("dispute")
    .selectAll("dispute")
    .select(
      sql<
        DisputeBody["items"]
      >`(select coalesce(jsonb_agg(jsonb_build_object('question_id', question_id, 'proposed', proposed,
          'reason', reason, 'moment', moment, 'decision', decision, 'explanation', explanation) order by question_id), '[]')
        from dispute_item as item where item.workspace_id = dispute.workspace_id and item.dispute_id = dispute.id)`.as(
        "items",
      ),
    )
    .where("dispute.workspaceId", "=", workspaceId);

export const toDisputeBody = (row: DisputeRow): DisputeBody => ({
  id: row.id,
  review_id: row.reviewId,
  level: row.level,
  state: row.state as DisputeBody["state"],
  arbiter_id: row.arbiterId,
  opened_at: row.openedAt.toISOString(),
  due_at: row.dueAt.toISOString(),
  overdue: row.state === "open" && row.dueAt.getTime() < Date.now(),
  resolved_at: row.resolvedAt?.toISOString() ?? null,
  resolved_by: row.resolvedByType ? { type: row.resolvedByType as "user" | "key", id: row.resolvedById } : null,
  items: row.items,
});

export async function findDispute(tx: Db, workspaceId: string, id: string): Promise<DisputeBody> {
  const found = isUuid(id)
    ? await selectDisputes(tx, workspaceId).where("dispute.id", "=", id).executeTakeFirst()
    : undefined;
  if (!found) throw disputeNotFound();
  return toDisputeBody(found);
}

/** The disputes of a review, oldest first. There are at most two. */
export async function listDisputesOf(tx: Db, { workspaceId, id }: ReviewRow): Promise<DisputeBody[]> {
  const found = await selectDisputes(tx, workspaceId).where("reviewId", "=", id).orderBy("dispute.id").execute();
  return found.map(toDisputeBody);
}
