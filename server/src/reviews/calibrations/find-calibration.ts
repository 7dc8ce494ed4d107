import type { CalibrationBody, CalibrationDetailBody, ReviewState } from "@hearback/contract";
import { type Selectable, sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { toPage } from "../../platform/database/pages.ts";
import type { Calibration } from "../../platform/database/tables.ts";
import { isUuid } from "../../platform/is-uuid.ts";
import { calibrationNotFound } from "../errors.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";

export type CalibrationRow = Selectable<Calibration> & {
  readonly scorecardName: string;
  readonly calls: number;
  readonly participants: number;
  readonly submitted: number;
};

/** Submitted reviews of the session, of calls that are not erased. */
const countSubmitted = sql<number>`(select count(*)::int from review
  join calibration_call as scored on scored.workspace_id = review.workspace_id
    and scored.calibration_id = review.calibration_id and scored.call_id = review.call_id and scored.erased_at is null
  where review.workspace_id = calibration.workspace_id and review.calibration_id = calibration.id
    and review.state = 'submitted')`;

/** Reviewers see the sessions that they take part in. */
const selectCalibrations = (tx: Db, { workspaceId, sees, id }: ReviewViewer) =>
  tx
    .selectFrom("calibration")
    .innerJoin("scorecard", (join) =>
      join
        .onRef("scorecard.workspaceId", "=", "calibration.workspaceId")
        .onRef("scorecard.id", "=", "calibration.scorecardId"),
    )
    .selectAll("calibration")
    .select([
      "scorecard.name as scorecardName",
      sql<number>`(select count(*)::int from calibration_call as scored where scored.workspace_id = calibration.workspace_id
        and scored.calibration_id = calibration.id and scored.erased_at is null)`.as("calls"),
      sql<number>`(select count(*)::int from calibration_participant as person
        where person.workspace_id = calibration.workspace_id and person.calibration_id = calibration.id)`.as(
        "participants",
      ),
      countSubmitted.as("submitted"),
    ])
    .where("calibration.workspaceId", "=", workspaceId)
    .$if(sees === "reviewer" || sees === "agent", (rows) =>
      rows.where(
        sql<boolean>`exists (select from calibration_participant as person
          where person.workspace_id = calibration.workspace_id and person.calibration_id = calibration.id
            and person.user_id = ${id})`,
      ),
    );

/** Returns the session if the viewer may see it. Throws the same error for hidden and for unknown sessions. */
export async function findCalibration(tx: Db, viewer: ReviewViewer, id: string): Promise<CalibrationRow> {
  const found = isUuid(id)
    ? await selectCalibrations(tx, viewer).where("calibration.id", "=", id).executeTakeFirst()
    : undefined;
  if (!found) throw calibrationNotFound();
  return found;
}

/** Prevents submissions and changes of the session until the transaction ends. */
export async function lockCalibration(tx: Db, viewer: ReviewViewer, id: string): Promise<CalibrationRow> {
  await findCalibration(tx, viewer, id);
  await sql`
    select from calibration where workspace_id = ${viewer.workspaceId} and id = ${id} for no key update`.execute(tx);
  // Read after the lock: the session may have changed while this transaction waited.
  return findCalibration(tx, viewer, id);
}

export interface ListCalibrationsInput {
  readonly state?: CalibrationBody["state"] | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Lists sessions, newest first. */
export async function listCalibrations(tx: Db, viewer: ReviewViewer, { state, cursor, limit }: ListCalibrationsInput) {
  const rows = await selectCalibrations(tx, viewer)
    .$if(state !== undefined, (found) => found.where("calibration.state", "=", state ?? ""))
    .$if(cursor !== undefined, (found) => found.where("calibration.id", "<", cursor ?? ""))
    .orderBy("calibration.id", "desc")
    .limit(limit + 1)
    .execute();
  return toPage(rows, limit, ({ id }) => id);
}

export const toCalibrationBody = (session: CalibrationRow): CalibrationBody => ({
  id: session.id,
  name: session.name,
  scorecard: { id: session.scorecardId, version: session.version, name: session.scorecardName },
  state: session.state as CalibrationBody["state"],
  due_at: session.dueAt?.toISOString() ?? null,
  expert_id: session.expertId,
  calls: session.calls,
  participants: session.participants,
  submitted: session.submitted,
  created_by: { type: session.createdByType as "user" | "key", id: session.createdById },
  created_at: session.createdAt.toISOString(),
  closed_at: session.closedAt?.toISOString() ?? null,
});

/** The calls of a session in its order. */
export const listCallsOf = (tx: Db, { workspaceId, id }: Pick<CalibrationRow, "workspaceId" | "id">) =>
  tx
    .selectFrom("calibrationCall")
    .select(["callId", "erasedAt", "position"])
    .where("workspaceId", "=", workspaceId)
    .where("calibrationId", "=", id)
    .orderBy("position")
    .orderBy("callId")
    .execute();

/** The participants of a session in the order of their ids. */
export async function listParticipantsOf(
  tx: Db,
  { workspaceId, id }: Pick<CalibrationRow, "workspaceId" | "id">,
): Promise<string[]> {
  const rows = await tx
    .selectFrom("calibrationParticipant")
    .select("userId")
    .where("workspaceId", "=", workspaceId)
    .where("calibrationId", "=", id)
    .orderBy("userId")
    .execute();
  return rows.map(({ userId }) => userId);
}

/** Whether a participant submitted a review, even if it was reopened or voided since. */
export async function isStarted(tx: Db, { workspaceId, id }: CalibrationRow): Promise<boolean> {
  const submitted = await tx
    .selectFrom("review")
    .select("id")
    .where("workspaceId", "=", workspaceId)
    .where("calibrationId", "=", id)
    .where("revision", ">", 0)
    .executeTakeFirst();
  return submitted !== undefined;
}

/** The session with its calls, the viewer's own reviews, and who has submitted how many. Never answers or scores. */
export async function toCalibrationDetail(
  tx: Db,
  session: CalibrationRow,
  viewer: ReviewViewer,
): Promise<CalibrationDetailBody> {
  const calls = await listCallsOf(tx, session);
  const participants = await listParticipantsOf(tx, session);
  const reviews = await tx
    .selectFrom("review")
    .select(["id", "callId", "reviewerId", "state"])
    .where("workspaceId", "=", session.workspaceId)
    .where("calibrationId", "=", session.id)
    .where("state", "!=", "voided")
    .execute();
  const scorable = new Set(calls.filter(({ erasedAt }) => erasedAt === null).map(({ callId }) => callId));
  return {
    ...toCalibrationBody(session),
    call_list: calls.map(({ callId, erasedAt }) => {
      const own = reviews.find((review) => review.callId === callId && review.reviewerId === viewer.id);
      return {
        call_id: callId,
        erased: erasedAt !== null,
        review: own ? { id: own.id, state: own.state as ReviewState } : null,
      };
    }),
    progress: participants.map((userId) => ({
      user_id: userId,
      submitted: reviews.filter(
        ({ reviewerId, state, callId }) => reviewerId === userId && state === "submitted" && scorable.has(callId),
      ).length,
    })),
  };
}
