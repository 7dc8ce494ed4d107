import type { CalibrationDetailBody } from "@hearback/contract";
import { sql } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { emitEvent } from "../../events/emit-event.ts";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { calibrationClosed, calibrationStarted } from "../errors.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";
import { findCalibration, isStarted, lockCalibration, toCalibrationDetail } from "./find-calibration.ts";

interface Act {
  readonly id: string;
  readonly actor: Actor;
}

/** Closes a session: its answers become visible, and its drafts can no longer be submitted. Closing again changes nothing. */
export async function closeCalibration(
  app: App,
  viewer: ReviewViewer,
  { id, actor }: Act,
): Promise<CalibrationDetailBody> {
  const { workspaceId } = viewer;
  return inWorkspace(app, workspaceId, async (tx) => {
    const session = await lockCalibration(tx, viewer, id);
    if (session.state === "closed") return toCalibrationDetail(tx, session, viewer);
    await tx
      .updateTable("calibration")
      .set({ state: "closed", closedAt: sql<Date>`now()` })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .execute();
    const closed = await toCalibrationDetail(tx, await findCalibration(tx, viewer, id), viewer);
    const { scorecardId: scorecard_id, version, submitted } = session;
    await emitEvent(tx, {
      workspaceId,
      type: "calibration.closed",
      data: { calibration_id: id, scorecard_id, version },
    });
    const subject = { type: "calibration", id };
    await recordAuditEntry(tx, workspaceId, { actor, action: "calibration.closed", subject, data: { submitted } });
    return closed;
  });
}

/** Deletes a session with its drafts, while nobody has submitted a review. */
export async function deleteCalibration(app: App, viewer: ReviewViewer, { id, actor }: Act): Promise<void> {
  const { workspaceId } = viewer;
  await inWorkspace(app, workspaceId, async (tx) => {
    const session = await lockCalibration(tx, viewer, id);
    if (await isStarted(tx, session)) throw calibrationStarted();
    if (session.state === "closed") throw calibrationClosed();
    await tx.deleteFrom("review").where("workspaceId", "=", workspaceId).where("calibrationId", "=", id).execute();
    await tx.deleteFrom("calibration").where("workspaceId", "=", workspaceId).where("id", "=", id).execute();
    const subject = { type: "calibration", id };
    await recordAuditEntry(tx, workspaceId, { actor, action: "calibration.deleted", subject });
  });
}
