import { onHook } from "../platform/hooks.ts";
import { reviewerLeft } from "../users/hooks.ts";

/** The user decides no disputes any longer. If a scorecard has no other arbiter, all supervisors and administrators do. */
export const removeArbiter = onHook(reviewerLeft, async (tx, { workspaceId, userId }) => {
  await tx.deleteFrom("scorecardArbiter").where("workspaceId", "=", workspaceId).where("userId", "=", userId).execute();
});
