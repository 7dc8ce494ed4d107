import type { CalibrationDetailBody } from "@hearback/contract";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { fieldInvalid } from "../../platform/errors.ts";
import { newUuidV7 } from "../../platform/uuid-v7.ts";
import { scorecardNotFound } from "../../scorecards/errors.ts";
import { findScorecard } from "../../scorecards/find-scorecard.ts";
import { scorecardNotForCall } from "../errors.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";
import { rejectOwnCalls, requireCalls, requireReviewers } from "./check-members.ts";
import { findCalibration, toCalibrationDetail } from "./find-calibration.ts";

export interface CreateCalibrationInput {
  readonly name: string;
  readonly scorecardId: string;
  readonly callIds: readonly string[];
  readonly participantIds: readonly string[];
  readonly dueAt: Date | null;
  readonly expertId: string | null;
  readonly actor: Actor;
}

/** Throws unless the expert takes part. */
export function requireExpert(expertId: string | null, participantIds: readonly string[]): void {
  if (expertId !== null && !participantIds.includes(expertId))
    throw fieldInvalid("expert_id", "not_allowed", "The expert must be one of the participants.");
}

/** Creates a session on the latest version of the scorecard. */
export async function createCalibration(
  app: App,
  viewer: ReviewViewer,
  input: CreateCalibrationInput,
): Promise<CalibrationDetailBody> {
  const { name, scorecardId, callIds, participantIds, dueAt, expertId, actor } = input;
  const { workspaceId } = viewer;
  requireExpert(expertId, participantIds);
  return inWorkspace(app, workspaceId, async (tx) => {
    const scorecard = await findScorecard(tx, workspaceId, scorecardId);
    if (scorecard.latestVersion === null) throw scorecardNotFound(scorecardId);
    if (scorecard.retiredAt) throw scorecardNotForCall("is retired");
    await requireCalls(tx, { workspaceId, callIds }, scorecard);
    await requireReviewers(tx, { workspaceId, participantIds });
    await rejectOwnCalls(tx, { workspaceId, callIds, participantIds });
    const id = newUuidV7();
    const key = { workspaceId, calibrationId: id };
    await tx
      .insertInto("calibration")
      .values({
        workspaceId,
        id,
        name: name.trim(),
        scorecardId,
        version: scorecard.latestVersion,
        dueAt,
        expertId,
        createdByType: actor.type,
        createdById: actor.id ?? "",
      })
      .execute();
    await tx
      .insertInto("calibrationCall")
      .values(callIds.map((callId, position) => ({ ...key, callId, position })))
      .execute();
    await tx
      .insertInto("calibrationParticipant")
      .values(participantIds.map((userId) => ({ ...key, userId })))
      .execute();
    const created = await toCalibrationDetail(tx, await findCalibration(tx, viewer, id), viewer);
    const subject = { type: "calibration", id };
    const data = {
      scorecard_id: scorecardId,
      version: scorecard.latestVersion,
      calls: callIds.length,
      participants: participantIds.length,
    };
    await recordAuditEntry(tx, workspaceId, { actor, action: "calibration.created", subject, data });
    return created;
  });
}
