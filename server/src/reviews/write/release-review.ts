import type { ReviewsReleasedBody } from "@hearback/contract";
import { sql } from "kysely";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { countChange } from "../../scores/count-review.ts";
import { isCounted, requireCounted } from "../review/counted.ts";
import { lockReview, type ReviewRow, selectReviews } from "../review/find-review.ts";
import { isOneOf, rejectOwnCall } from "../review/impartial.ts";
import { requireState } from "../review/require-state.ts";
import { recordReviewAct } from "../review/review-event.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";
import { findReviewedVersion } from "../review/scorecard-documents.ts";
import { updateReview } from "../review/update-review.ts";

/** The columns of a review that is released now. */
export const releasedNow = (disputeDays: number) => ({
  releasedAt: sql<Date>`now()`,
  disputableUntil: disputeDays > 0 ? sql<Date>`now() + make_interval(days => ${disputeDays}::int)` : null,
});

async function release(tx: Db, review: ReviewRow, actor: Actor): Promise<void> {
  const { document } = await findReviewedVersion(tx, review);
  await updateReview(tx, review, { state: "released", ...releasedNow(document.dispute_days) });
  await countChange(tx, review, []);
  await recordReviewAct(tx, "review.released", review, { actor });
}

/** Makes a submitted review visible to the agent. */
export async function releaseReview(app: App, viewer: ReviewViewer, id: string, actor: Actor): Promise<ReviewRow> {
  return inWorkspace(app, viewer.workspaceId, async (tx) => {
    const review = await lockReview(tx, viewer, id);
    requireCounted(review);
    requireState(review, "submitted");
    await rejectOwnCall(tx, review, viewer);
    await release(tx, review, actor);
    return lockReview(tx, viewer, id);
  });
}

/** Releases many reviews, each in its own transaction. Those that do not wait for release, never count, or do not exist, are skipped. */
export async function releaseReviews(
  app: App,
  viewer: ReviewViewer,
  ids: readonly string[],
  actor: Actor,
): Promise<ReviewsReleasedBody> {
  const released: string[] = [];
  const skipped: string[] = [];
  for (const id of new Set(ids)) {
    const isReleased = await inWorkspace(app, viewer.workspaceId, async (tx) => {
      const isKnown = await selectReviews(tx, viewer).where("review.id", "=", id).executeTakeFirst();
      if (!isKnown) return false;
      const review = await lockReview(tx, viewer, id);
      if (review.state !== "submitted" || !isCounted(review)) return false;
      if (await isOneOf(tx, viewer, [review.agentId])) return false;
      await release(tx, review, actor);
      return true;
    });
    (isReleased ? released : skipped).push(id);
  }
  return { released, skipped };
}
