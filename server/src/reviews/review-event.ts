import type { EventType } from "@hearback/contract";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import { emitEvent } from "../events/emit-event.ts";
import type { Actor } from "../platform/actor.ts";
import type { Db } from "../platform/database/database.ts";
import type { ReviewRow } from "./find-review.ts";

type ReviewEvent = Extract<EventType, `review.${string}`>;

/** Emits an event about a review. Ids only. */
export const emitReviewEvent = (tx: Db, type: ReviewEvent, review: ReviewRow) =>
  emitEvent(tx, {
    workspaceId: review.workspaceId,
    type,
    data: {
      review_id: review.id,
      call_id: review.callId,
      campaign_id: review.campaignId,
      agent_id: review.agentId,
    },
  });

/** Emits an event and writes an audit entry about a review. Call last in the transaction. */
export async function recordReviewAct(
  tx: Db,
  type: ReviewEvent,
  review: ReviewRow,
  { actor, data = {} }: { readonly actor: Actor; readonly data?: Readonly<Record<string, unknown>> },
): Promise<void> {
  await emitReviewEvent(tx, type, review);
  const subject = { type: "review", id: review.id };
  await recordAuditEntry(tx, review.workspaceId, { actor, action: type, subject, data });
}
