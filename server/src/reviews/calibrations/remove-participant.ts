import { sql } from "kysely";
import { onHook } from "../../platform/hooks.ts";
import { reviewerLeft } from "../../users/hooks.ts";

/**
 * The user no longer takes part in open calibration sessions, unless they have submitted a review: it stays, like all reviews that they
 * wrote. Without the expert, participants are compared with the median.
 */
export const removeParticipant = onHook(reviewerLeft, async (tx, { workspaceId, userId }) => {
  const isOpen = sql<boolean>`exists (select from calibration as session
    where session.workspace_id = calibration_participant.workspace_id and session.id = calibration_participant.calibration_id
      and session.state = 'open')`;
  const hasSubmitted = sql<boolean>`exists (select from review
    where review.workspace_id = calibration_participant.workspace_id
      and review.calibration_id = calibration_participant.calibration_id
      and review.reviewer_id = ${userId} and review.revision > 0)`;
  // Sessions before their participants, in the order in which changes of a session lock them.
  await sql`
    select from calibration where workspace_id = ${workspaceId} and state = 'open' and id in (
      select calibration_id from calibration_participant where workspace_id = ${workspaceId} and user_id = ${userId})
    order by id for no key update`.execute(tx);
  const { rows } = await sql<{ calibrationId: string }>`
    delete from calibration_participant
    where workspace_id = ${workspaceId} and user_id = ${userId} and ${isOpen} and not ${hasSubmitted}
    returning calibration_id`.execute(tx);
  const ids = rows.map(({ calibrationId }) => calibrationId);
  if (ids.length === 0) return;
  await tx
    .updateTable("calibration")
    .set({ expertId: null })
    .where("workspaceId", "=", workspaceId)
    .where("id", "in", ids)
    .where("expertId", "=", userId)
    .execute();
});
