import type { CalibrationDetailBody } from "@hearback/contract";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { changedFields } from "../../platform/changed-fields.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { findScorecard } from "../../scorecards/find-scorecard.ts";
import { calibrationClosed, calibrationStarted } from "../errors.ts";
import type { ReviewViewer } from "../review-viewer.ts";
import { rejectOwnCalls, requireCalls, requireReviewers } from "./check-members.ts";
import { requireExpert } from "./create-calibration.ts";
import {
  type CalibrationRow,
  findCalibration,
  isStarted,
  listCallsOf,
  listParticipantsOf,
  lockCalibration,
  toCalibrationDetail,
} from "./find-calibration.ts";

export interface ChangeCalibrationInput {
  readonly id: string;
  readonly actor: Actor;
  readonly name?: string | undefined;
  readonly dueAt?: Date | null | undefined;
  readonly expertId?: string | null | undefined;
  readonly callIds?: readonly string[] | undefined;
  readonly participantIds?: readonly string[] | undefined;
}

/** Changes an open session. After the first submission, calls and participants are only added. */
export async function changeCalibration(
  app: App,
  viewer: ReviewViewer,
  input: ChangeCalibrationInput,
): Promise<CalibrationDetailBody> {
  const { id, actor, name, dueAt, expertId, callIds, participantIds } = input;
  const { workspaceId } = viewer;
  return inWorkspace(app, workspaceId, async (tx) => {
    // Calls first, in the order of erasures.
    const known = await findCalibration(tx, viewer, id);
    if (callIds) {
      const added = without(callIds, await callIdsOf(tx, known));
      await requireCalls(tx, { workspaceId, callIds: added }, await findScorecard(tx, workspaceId, known.scorecardId));
    }
    const before = await lockCalibration(tx, viewer, id);
    if (before.state === "closed") throw calibrationClosed();
    const people = await listParticipantsOf(tx, before);
    const calls = await changeCalls(tx, before, callIds);
    const participants = await changeParticipants(tx, before, people, participantIds);
    const everyone = participantIds ?? people;
    await rejectOwnCalls(tx, {
      workspaceId,
      callIds: callIds ?? (await callIdsOf(tx, before)),
      participantIds: everyone,
    });
    const values = changedFields(before, { name: name?.trim(), dueAt, expertId });
    requireExpert(values.expertId === undefined ? before.expertId : values.expertId, everyone);
    const changed = [
      ...Object.keys(values).map((column) => wireNames[column] ?? column),
      ...(calls ? ["call_ids"] : []),
      ...(participants ? ["participant_ids"] : []),
    ];
    if (Object.keys(values).length > 0)
      await tx
        .updateTable("calibration")
        .set(values)
        .where("workspaceId", "=", workspaceId)
        .where("id", "=", id)
        .execute();
    const detail = await toCalibrationDetail(tx, await findCalibration(tx, viewer, id), viewer);
    if (changed.length === 0) return detail;
    const subject = { type: "calibration", id };
    await recordAuditEntry(tx, workspaceId, { actor, action: "calibration.changed", subject, data: { changed } });
    return detail;
  });
}

const wireNames: Readonly<Record<string, string>> = { dueAt: "due_at", expertId: "expert_id" };

const without = (ids: readonly string[], others: readonly string[]) => ids.filter((id) => !others.includes(id));

const callIdsOf = async (tx: Db, session: CalibrationRow) =>
  (await listCallsOf(tx, session)).map(({ callId }) => callId);

/** Returns whether the calls changed. */
async function changeCalls(tx: Db, session: CalibrationRow, callIds: readonly string[] | undefined): Promise<boolean> {
  if (!callIds) return false;
  const before = await callIdsOf(tx, session);
  const [added, removed] = [without(callIds, before), without(before, callIds)];
  await removeMembers(tx, session, { calls: removed, participants: [] });
  const key = { workspaceId: session.workspaceId, calibrationId: session.id };
  if (added.length > 0)
    await tx
      .insertInto("calibrationCall")
      .values(added.map((callId) => ({ ...key, callId, position: callIds.indexOf(callId) })))
      .execute();
  return added.length + removed.length > 0;
}

/** Returns whether the participants changed. */
async function changeParticipants(
  tx: Db,
  session: CalibrationRow,
  before: readonly string[],
  participantIds: readonly string[] | undefined,
): Promise<boolean> {
  if (!participantIds) return false;
  const [added, removed] = [without(participantIds, before), without(before, participantIds)];
  await removeMembers(tx, session, { calls: [], participants: removed });
  if (added.length === 0) return removed.length > 0;
  await requireReviewers(tx, session.workspaceId, added);
  const key = { workspaceId: session.workspaceId, calibrationId: session.id };
  await tx
    .insertInto("calibrationParticipant")
    .values(added.map((userId) => ({ ...key, userId })))
    .execute();
  return true;
}

/** Removes calls and participants with their drafts. Throws if a participant has submitted a review. */
async function removeMembers(
  tx: Db,
  session: CalibrationRow,
  { calls, participants }: { readonly calls: readonly string[]; readonly participants: readonly string[] },
): Promise<void> {
  if (calls.length + participants.length === 0) return;
  if (await isStarted(tx, session)) throw calibrationStarted();
  const { workspaceId, id } = session;
  const drafts = tx.deleteFrom("review").where("workspaceId", "=", workspaceId).where("calibrationId", "=", id);
  const callRows = tx.deleteFrom("calibrationCall").where("workspaceId", "=", workspaceId);
  const people = tx.deleteFrom("calibrationParticipant").where("workspaceId", "=", workspaceId);
  if (calls.length > 0) {
    await drafts.where("callId", "in", calls).execute();
    await callRows.where("calibrationId", "=", id).where("callId", "in", calls).execute();
  }
  if (participants.length > 0) {
    await drafts.where("reviewerId", "in", participants).execute();
    await people.where("calibrationId", "=", id).where("userId", "in", participants).execute();
  }
}
