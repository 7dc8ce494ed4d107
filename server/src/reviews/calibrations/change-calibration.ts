import { type CalibrationDetailBody, calibrationLimits } from "@hearback/contract";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { keepReviewers } from "../../plans/draws/exclusions.ts";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { changedFields } from "../../platform/changed-fields.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { fieldInvalid } from "../../platform/errors.ts";
import { findScorecard } from "../../scorecards/find-scorecard.ts";
import { calibrationClosed, calibrationStarted } from "../errors.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";
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
  readonly calls: MemberChange;
  readonly participants: MemberChange;
}

/** Ids. Not the whole list, which another supervisor may have changed since it was read. */
interface MemberChange {
  readonly add?: readonly string[] | undefined;
  readonly remove?: readonly string[] | undefined;
}

/** Changes an open session. After the first submission, calls and participants are only added. */
export async function changeCalibration(
  app: App,
  viewer: ReviewViewer,
  input: ChangeCalibrationInput,
): Promise<CalibrationDetailBody> {
  const { id, actor, name, dueAt, expertId } = input;
  const { workspaceId } = viewer;
  return inWorkspace(app, workspaceId, async (tx) => {
    // Calls and users before the session: see the order of locks in docs/architecture.md.
    await requireAddedCalls(tx, await findCalibration(tx, viewer, id), input.calls.add);
    await keepReviewers(tx, workspaceId, input.participants.add ?? []);
    const before = await lockCalibration(tx, viewer, id);
    if (before.state === "closed") throw calibrationClosed();
    const calls = changeOf("call_ids", await callIdsOf(tx, before), input.calls);
    const participants = changeOf("participant_ids", await listParticipantsOf(tx, before), input.participants);
    await removeMembers(tx, before, { calls: calls.removed, participants: participants.removed });
    await addCalls(tx, before, calls.added);
    await addParticipants(tx, before, participants.added);
    await rejectOwnCalls(tx, { workspaceId, callIds: calls.after, participantIds: participants.after });
    const values = changedFields(before, { name: name?.trim(), dueAt, expertId });
    requireExpert(values.expertId === undefined ? before.expertId : values.expertId, participants.after);
    const changed = [
      ...Object.keys(values).map((column) => wireNames[column] ?? column),
      ...(isChanged(calls) ? ["call_ids"] : []),
      ...(isChanged(participants) ? ["participant_ids"] : []),
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

interface MemberList {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly after: readonly string[];
}

const isChanged = ({ added, removed }: MemberList) => added.length + removed.length > 0;

const limits = { call_ids: calibrationLimits.calls, participant_ids: calibrationLimits.participants };

/** What changes. Throws if the session would have too few or too many. */
function changeOf(
  name: keyof typeof limits,
  before: readonly string[],
  { add = [], remove = [] }: MemberChange,
): MemberList {
  const added = without(add, before);
  const removed = before.filter((id) => remove.includes(id));
  const after = [...without(before, removed), ...added];
  const { min, max } = limits[name];
  const list = { added, removed, after };
  if (!isChanged(list)) return list;
  if (after.length < min)
    throw fieldInvalid(`remove_${name}`, "too_short", `remove_${name} must leave at least ${min} in the session.`);
  if (after.length > max)
    throw fieldInvalid(
      `add_${name}`,
      "too_long",
      `add_${name}: the session would have ${after.length}, at most ${max} are allowed.`,
    );
  return list;
}

async function requireAddedCalls(tx: Db, session: CalibrationRow, callIds: readonly string[] = []): Promise<void> {
  if (callIds.length === 0) return;
  const { workspaceId, scorecardId } = session;
  const scorecard = await findScorecard(tx, workspaceId, scorecardId);
  await requireCalls(tx, { workspaceId, callIds }, scorecard, "add_call_ids");
}

/** Adds calls at the end. */
async function addCalls(tx: Db, session: CalibrationRow, added: readonly string[]): Promise<void> {
  if (added.length === 0) return;
  const key = { workspaceId: session.workspaceId, calibrationId: session.id };
  const last = (await listCallsOf(tx, session)).at(-1)?.position ?? -1;
  await tx
    .insertInto("calibrationCall")
    .values(added.map((callId, index) => ({ ...key, callId, position: last + 1 + index })))
    .execute();
}

async function addParticipants(tx: Db, session: CalibrationRow, added: readonly string[]): Promise<void> {
  if (added.length === 0) return;
  const { workspaceId, id: calibrationId } = session;
  await requireReviewers(tx, { workspaceId, participantIds: added }, "add_participant_ids");
  await tx
    .insertInto("calibrationParticipant")
    .values(added.map((userId) => ({ workspaceId, calibrationId, userId })))
    .execute();
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
