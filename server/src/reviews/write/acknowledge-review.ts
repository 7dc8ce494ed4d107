import { sql } from "kysely";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { countChange, readBefore } from "../../scores/count-review.ts";
import { findReview, lockReview, type ReviewRow } from "../review/find-review.ts";
import { requireState } from "../review/require-state.ts";
import { rejectIfErased } from "../review/require-text.ts";
import { recordReviewAct } from "../review/review-event.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";
import { updateReview } from "../review/update-review.ts";

/** The agent has read the review. A second acknowledgement changes nothing. */
export async function acknowledgeReview(
  app: App,
  viewer: ReviewViewer,
  { id, actor, note }: { readonly id: string; readonly actor: Actor; readonly note: string | undefined },
): Promise<ReviewRow> {
  return inWorkspace(app, viewer.workspaceId, async (tx) => {
    const review = await lockReview(tx, viewer, id);
    if (review.acknowledgedAt) return review;
    requireState(review, "released");
    const before = await readBefore(tx, review);
    const acknowledgement = note?.trim() || null;
    rejectIfErased(review, acknowledgement);
    await updateReview(tx, review, { acknowledgedAt: sql<Date>`now()`, acknowledgement });
    const acknowledged = await findReview(tx, viewer, id);
    await countChange(tx, review, before);
    await recordReviewAct(tx, "review.acknowledged", review, { actor });
    return acknowledged;
  });
}
