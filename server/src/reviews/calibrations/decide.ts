import type { AppliedDecision, CalibrationDecidedBody } from "@hearback/contract";
import { sql } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { appendGuidance } from "../../scorecards/append-guidance.ts";
import { calibrationOpen } from "../errors.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";
import { findReviewedVersion } from "../review/scorecard-documents.ts";
import { type CalibrationRow, lockCalibration } from "./find-calibration.ts";
import { requireQuestion, toDecision } from "./results.ts";

export interface DecideInput {
  readonly id: string;
  readonly questionId: string;
  /** Empty: removes the decision. */
  readonly text: string;
  /** Whether the text becomes a note in the guidance of the question, in the draft of the scorecard. */
  readonly apply: boolean;
  readonly actor: Actor;
}

/** Saves what the participants of a closed session decided about a question. */
export async function decide(app: App, viewer: ReviewViewer, input: DecideInput): Promise<CalibrationDecidedBody> {
  const { id, questionId, apply, actor } = input;
  const text = input.text.trim();
  const { workspaceId } = viewer;
  return inWorkspace(app, workspaceId, async (tx) => {
    const session = await lockCalibration(tx, viewer, id);
    if (session.state !== "closed") throw calibrationOpen();
    const { document } = await findReviewedVersion(tx, session);
    requireQuestion(document, questionId);
    const decision = await saveDecision(tx, session, { questionId, text, actor });
    const applied: AppliedDecision | null =
      apply && text
        ? await appendGuidance(tx, { workspaceId, id: session.scorecardId }, questionId, noteOf(session, text))
        : null;
    const subject = { type: "calibration", id };
    const data = { question_id: questionId, applied };
    await recordAuditEntry(tx, workspaceId, { actor, action: "calibration.decided", subject, data });
    return { decision, applied };
  });
}

/** The paragraph that is added to the guidance, with the day on which the session was closed. */
const noteOf = ({ closedAt }: CalibrationRow, text: string) =>
  `${(closedAt ?? new Date()).toISOString().slice(0, 10)}: ${text}`;

async function saveDecision(
  tx: Db,
  { workspaceId, id }: CalibrationRow,
  { questionId, text, actor }: Pick<DecideInput, "questionId" | "text" | "actor">,
) {
  const key = { workspaceId, calibrationId: id, questionId };
  if (!text) {
    await tx
      .deleteFrom("calibrationDecision")
      .where("workspaceId", "=", workspaceId)
      .where("calibrationId", "=", id)
      .where("questionId", "=", questionId)
      .execute();
    return null;
  }
  const values = { text, decidedByType: actor.type, decidedById: actor.id ?? "", decidedAt: sql<Date>`now()` };
  const saved = await tx
    .insertInto("calibrationDecision")
    .values({ ...key, ...values })
    .onConflict((conflict) => conflict.columns(["workspaceId", "calibrationId", "questionId"]).doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow();
  return toDecision(saved);
}
