import { sql } from "kysely";
import { keepNextReviewers, reopenVoided } from "../../plans/assignments/reopen-voided.ts";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { withRetries } from "../../platform/database/with-retries.ts";
import { countChange, readBefore } from "../../scores/count-review.ts";
import { findReview, keepCall, lockReview, type ReviewRow } from "../review/find-review.ts";
import { requireThirdPerson } from "../review/impartial.ts";
import { requireState } from "../review/require-state.ts";
import { requireText } from "../review/require-text.ts";
import { recordReviewAct } from "../review/review-event.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";
import { updateReview } from "../review/update-review.ts";

/** There is nothing left to decide. */
async function closeDispute(tx: Db, { workspaceId, id }: ReviewRow, actor: Actor): Promise<void> {
  await tx
    .updateTable("dispute")
    .set({ state: "resolved", resolvedAt: sql<Date>`now()`, resolvedByType: actor.type, resolvedById: actor.id })
    .where("workspaceId", "=", workspaceId)
    .where("reviewId", "=", id)
    .where("state", "=", "open")
    .execute();
}

/** Voids a review: it counts nowhere from now on, and stays visible with the reason. */
export async function voidReview(
  app: App,
  viewer: ReviewViewer,
  { id, actor, reason }: { readonly id: string; readonly actor: Actor; readonly reason: string },
): Promise<ReviewRow> {
  const { workspaceId } = viewer;
  const run = async (tx: Db) => {
    const { callId } = await findReview(tx, viewer, id);
    await keepCall(tx, workspaceId, callId);
    const next = await keepNextReviewers(tx, workspaceId, id);
    const review = await lockReview(tx, viewer, id);
    requireState(review, "submitted", "released");
    await requireThirdPerson(tx, review, viewer);
    requireText(review, "reason", reason);
    const before = await readBefore(tx, review);
    await closeDispute(tx, review, actor);
    await updateReview(tx, review, {
      ...(review.dispute && { dispute: "resolved" }),
      state: "voided",
      voidedAt: sql<Date>`now()`,
      voidedByType: actor.type,
      voidedById: actor.id,
      voidReason: reason.trim(),
    });
    await reopenVoided(tx, review, next);
    const voided = await lockReview(tx, viewer, id);
    await countChange(tx, review, before);
    await recordReviewAct(tx, "review.voided", review, { actor });
    return voided;
  };
  return withRetries(() => inWorkspace(app, workspaceId, run));
}
