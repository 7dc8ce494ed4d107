import type { Db } from "../../platform/database/database.ts";
import { fieldInvalid } from "../../platform/errors.ts";
import { calibrationClosed, calibrationNotFound, notParticipant } from "../errors.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";
import { keepSessionOpen } from "../review/session-state.ts";

interface SessionCall {
  readonly calibrationId: string;
  readonly callId: string;
  /** That the caller named. */
  readonly scorecardId: string | undefined;
}

/** The version on which participants review the calls of a session. Throws unless the viewer may review the call for it. */
export async function findSessionForm(
  tx: Db,
  viewer: ReviewViewer,
  { calibrationId, callId, scorecardId }: SessionCall,
) {
  const { workspaceId } = viewer;
  const isOpen = await keepSessionOpen(tx, { workspaceId, calibrationId });
  const session = await tx
    .selectFrom("calibration")
    .select(["scorecardId", "version"])
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", calibrationId)
    .executeTakeFirst();
  const participant = await tx
    .selectFrom("calibrationParticipant")
    .select("userId")
    .where("workspaceId", "=", workspaceId)
    .where("calibrationId", "=", calibrationId)
    .where("userId", "=", viewer.id)
    .executeTakeFirst();
  // Reviewers see only the sessions that they take part in.
  if (!session || (!participant && viewer.sees === "reviewer")) throw calibrationNotFound();
  if (!participant) throw notParticipant();
  if (!isOpen) throw calibrationClosed();
  if (scorecardId !== undefined && scorecardId !== session.scorecardId)
    throw fieldInvalid("scorecard_id", "not_allowed", "The calibration session uses another scorecard.");
  const call = await tx
    .selectFrom("calibrationCall")
    .select("callId")
    .where("workspaceId", "=", workspaceId)
    .where("calibrationId", "=", calibrationId)
    .where("callId", "=", callId)
    .executeTakeFirst();
  if (!call) throw fieldInvalid("call_id", "not_allowed", "The call is not part of the calibration session.");
  return { ...session, calibrationId };
}
