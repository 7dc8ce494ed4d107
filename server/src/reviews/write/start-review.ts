import { sql } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { type CallViewer, findVisibleCall, type StoredCall } from "../../calls/call/find-call.ts";
import { callNotFound } from "../../calls/errors.ts";
import { lockAssignments } from "../../plans/assignments/lock-assignments.ts";
import { findOwnAssignment, linkReview } from "../../plans/assignments/review-of-assignment.ts";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { ChangedMeanwhile, withRetries } from "../../platform/database/with-retries.ts";
import { newUuidV7 } from "../../platform/uuid-v7.ts";
import { scorecardNotFound } from "../../scorecards/errors.ts";
import { findScorecard, type ScorecardRow } from "../../scorecards/find-scorecard.ts";
import { findSessionForm } from "../calibrations/session-form.ts";
import { draftExists, pickingOff, scorecardNotForCall } from "../errors.ts";
import { findReview, keepCallNow, type ReviewRow } from "../review/find-review.ts";
import { rejectOwnCall } from "../review/impartial.ts";
import { readReviewSettings } from "../review/review-settings.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";

export interface StartReviewInput {
  readonly callId: string;
  /** Undefined: that of the calibration session. */
  readonly scorecardId: string | undefined;
  readonly calibrationId: string | undefined;
  readonly reviewer: Actor;
}

/** What a review is started on. */
interface Form {
  readonly scorecardId: string;
  readonly version: number;
  readonly calibrationId: string | null;
  readonly selection: "drawn" | "second" | "picked" | "calibration";
  /** The drawn call on the reviewer's queue. */
  readonly assignmentId?: string | undefined;
  /** The draft that the reviewer has already, which is locked. */
  readonly draftId?: string | undefined;
}

interface Started {
  readonly review: ReviewRow;
  readonly started: boolean;
}

/** Starts a review of a call, or returns the draft that the reviewer has already. */
export async function startReview(
  app: App,
  viewer: ReviewViewer,
  calls: CallViewer,
  { callId, scorecardId, calibrationId, reviewer }: StartReviewInput,
): Promise<Started> {
  const { workspaceId } = viewer;
  const run = async (tx: Db) => {
    const known = await findVisibleCall(tx, calls, callId);
    const now = await keepCallNow(tx, workspaceId, known.id);
    if (!now) throw callNotFound();
    const call = { ...known, ...now };
    await rejectOwnCall(tx, call, viewer);
    const form = calibrationId
      ? {
          ...(await findSessionForm(tx, viewer, { calibrationId, callId: call.id, scorecardId })),
          selection: "calibration" as const,
        }
      : await findLatestForm(tx, viewer, { scorecardId: scorecardId ?? "", call, reviewer });
    return insertReview(tx, viewer, { call, form, reviewer });
  };
  return withRetries(() => inWorkspace(app, workspaceId, run));
}

/** The latest version of a scorecard, for a call that was drawn for the reviewer or that they picked. */
async function findLatestForm(
  tx: Db,
  viewer: ReviewViewer,
  {
    scorecardId,
    call,
    reviewer,
  }: { readonly scorecardId: string; readonly call: StoredCall; readonly reviewer: Actor },
): Promise<Form> {
  const { workspaceId } = viewer;
  const settings = await readReviewSettings(tx, workspaceId);
  const draftId = await lockDraft(tx, workspaceId, { callId: call.id, scorecardId, reviewerId: reviewer.id ?? "" });
  await lockAssignments(tx, workspaceId, call.id);
  const drawn = await findOwnAssignment(tx, workspaceId, {
    callId: call.id,
    agentId: call.agentId,
    scorecardId,
    reviewerId: reviewer.id ?? "",
  });
  if (!settings.reviewersPickCalls && viewer.sees === "reviewer" && !drawn) throw pickingOff();
  const scorecard = await findScorecard(tx, workspaceId, scorecardId, { within: viewer.campaignIds, drafts: false });
  if (scorecard.latestVersion === null) throw scorecardNotFound(scorecardId);
  if (!drawn) requireForCall(scorecard, call);
  const { selection = "picked" as const, id: assignmentId } = drawn ?? {};
  return { scorecardId, version: scorecard.latestVersion, calibrationId: null, selection, assignmentId, draftId };
}

/** Prevents changes of the draft that a reviewer has of a call already. */
async function lockDraft(
  tx: Db,
  workspaceId: string,
  { callId, scorecardId, reviewerId }: { callId: string; scorecardId: string; reviewerId: string },
): Promise<string | undefined> {
  const draft = await tx
    .selectFrom("review")
    .select("id")
    .where("workspaceId", "=", workspaceId)
    .where("callId", "=", callId)
    .where("scorecardId", "=", scorecardId)
    .where("reviewerId", "=", reviewerId)
    .where("state", "=", "draft")
    .forNoKeyUpdate()
    .executeTakeFirst();
  return draft?.id;
}

/** A drawn call is reviewed, even if its scorecard was retired or its campaigns changed after the draw. */
function requireForCall({ retiredAt, campaignIds }: ScorecardRow, { campaignId }: StoredCall): void {
  if (retiredAt) throw scorecardNotForCall("is retired");
  if (campaignIds.length > 0 && !campaignIds.includes(campaignId)) throw scorecardNotForCall("is for other campaigns");
}

async function insertReview(
  tx: Db,
  viewer: ReviewViewer,
  { call, form, reviewer }: { readonly call: StoredCall; readonly form: Form; readonly reviewer: Actor },
): Promise<Started> {
  const { workspaceId } = viewer;
  const { scorecardId, version, calibrationId, selection, assignmentId, draftId } = form;
  const id = newUuidV7();
  const { rows } = await sql<{ id: string }>`
    insert into review (workspace_id, id, call_id, agent_id, campaign_id, scorecard_id, version, reviewer_type, reviewer_id,
      selection, calibration_id, state)
    values (${workspaceId}, ${id}, ${call.id}, ${call.agentId}, ${call.campaignId}, ${scorecardId}, ${version},
      ${reviewer.type}, ${reviewer.id}, ${selection}, ${calibrationId}, 'draft')
    on conflict do nothing
    returning id`.execute(tx);
  if (rows.length > 0) {
    await tx.insertInto("reviewDraft").values({ workspaceId, reviewId: id }).execute();
    if (assignmentId) await linkReview(tx, workspaceId, assignmentId, id);
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
    .where("reviewerId", "=", reviewer.id ?? "")
    .$if(calibrationId === null, (found) =>
      found.where("scorecardId", "=", scorecardId).where("calibrationId", "is", null).where("state", "=", "draft"),
    )
    // In a session, a reviewer has one review of a call, submitted or not.
    .$if(calibrationId !== null, (found) =>
      found.where("calibrationId", "=", calibrationId ?? "").where("state", "!=", "voided"),
    )
    .executeTakeFirst();
  // The draft that exists is for something else: inside or outside of a session.
  if (!existing) throw draftExists();
  // The reviewer picked the call before it was drawn for them.
  if (assignmentId) {
    // Started since, by another request of the reviewer.
    if (existing.id !== draftId) throw new ChangedMeanwhile();
    const { numUpdatedRows } = await tx
      .updateTable("review")
      .set({ selection })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", existing.id)
      .where("selection", "in", ["picked", selection])
      // Blind: not one that was submitted before.
      .$if(selection === "second", (rows) => rows.where("revision", "=", 0))
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await linkReview(tx, workspaceId, assignmentId, existing.id);
  }
  return { review: await findReview(tx, viewer, existing.id), started: false };
}
