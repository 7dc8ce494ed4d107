import type { EventType } from "@hearback/contract";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { emitEvent } from "../../events/emit-event.ts";
import type { Actor } from "../../platform/actor.ts";
import type { Db } from "../../platform/database/database.ts";
import { countForEmail } from "./count-for-email.ts";
import type { ReviewRow } from "./find-review.ts";

type ReviewEvent = Extract<EventType, `review.${string}`>;

/** Emits an event about a review, ids only, and counts it for the agent's daily email. */
export async function emitReviewEvent(tx: Db, type: ReviewEvent, review: ReviewRow): Promise<void> {
  const { workspaceId, id: review_id, callId: call_id, campaignId: campaign_id, agentId: agent_id } = review;
  await emitEvent(tx, { workspaceId, type, data: { review_id, call_id, campaign_id, agent_id } });
  if (type === "review.released") await countForEmail(tx, review, "released");
  if (type === "review.resolved") await countForEmail(tx, review, "decided");
}

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
