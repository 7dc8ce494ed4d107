import { sql } from "kysely";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import { type CallViewer, findVisibleCall } from "../calls/call/find-call.ts";
import { callNotFound } from "../calls/errors.ts";
import type { Actor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { newUuidV7 } from "../platform/uuid-v7.ts";
import { scorecardNotFound } from "../scorecards/errors.ts";
import { findScorecard } from "../scorecards/find-scorecard.ts";
import { ownCall, pickingOff, scorecardNotForCall } from "./errors.ts";
import { findReview, keepCall, type ReviewRow } from "./find-review.ts";
import { readReviewSettings } from "./review-settings.ts";
import type { ReviewViewer } from "./review-viewer.ts";

export interface StartReviewInput {
  readonly callId: string;
  readonly scorecardId: string;
  readonly reviewer: Actor;
}

/** Starts a review of a call, or returns the draft that the reviewer has already. */
export async function startReview(
  app: App,
  viewer: ReviewViewer,
  calls: CallViewer,
  { callId, scorecardId, reviewer }: StartReviewInput,
): Promise<{ readonly review: ReviewRow; readonly started: boolean }> {
  const { workspaceId } = viewer;
  return inWorkspace(app, workspaceId, async (tx) => {
    const call = await findVisibleCall(tx, calls, callId);
    if (!(await keepCall(tx, workspaceId, call.id))) throw callNotFound();
    if (call.agentId === reviewer.id) throw ownCall();
    const settings = await readReviewSettings(tx, workspaceId);
    if (!settings.reviewersPickCalls && viewer.sees === "reviewer") throw pickingOff();
    const scorecard = await findScorecard(tx, workspaceId, scorecardId, {
      within: viewer.campaignIds,
      drafts: false,
    });
    if (scorecard.latestVersion === null) throw scorecardNotFound(scorecardId);
    if (scorecard.retiredAt) throw scorecardNotForCall("is retired");
    if (scorecard.campaignIds.length > 0 && !scorecard.campaignIds.includes(call.campaignId))
      throw scorecardNotForCall("is for other campaigns");
    const id = newUuidV7();
    const { rows } = await sql<{ id: string }>`
      insert into review (workspace_id, id, call_id, agent_id, campaign_id, scorecard_id, version, reviewer_type, reviewer_id,
        selection, state)
      values (${workspaceId}, ${id}, ${call.id}, ${call.agentId}, ${call.campaignId}, ${scorecardId},
        ${scorecard.latestVersion}, ${reviewer.type}, ${reviewer.id}, 'picked', 'draft')
      on conflict (workspace_id, call_id, scorecard_id, reviewer_id) where state = 'draft' do nothing
      returning id`.execute(tx);
    if (rows.length > 0) {
      await tx.insertInto("reviewDraft").values({ workspaceId, reviewId: id }).execute();
      const review = await findReview(tx, viewer, id);
      const subject = { type: "review", id };
      const data = { call_id: call.id };
      await recordAuditEntry(tx, workspaceId, { actor: reviewer, action: "review.started", subject, data });
      return { review, started: true };
    }
    const existing = await tx
      .selectFrom("review")
      .select("id")
      .where("workspaceId", "=", workspaceId)
      .where("callId", "=", call.id)
      .where("scorecardId", "=", scorecardId)
      .where("reviewerId", "=", reviewer.id ?? "")
      .where("state", "=", "draft")
      .executeTakeFirstOrThrow();
    return { review: await findReview(tx, viewer, existing.id), started: false };
  });
}
