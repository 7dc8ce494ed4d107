import { onHook } from "../../platform/hooks.ts";
import { reviewerLeft } from "../../users/hooks.ts";

/** Open disputes of the user wait for a supervisor. */
export const removeArbiterOfDisputes = onHook(reviewerLeft, async (tx, { workspaceId, userId }) => {
  await tx
    .updateTable("dispute")
    .set({ arbiterId: null })
    .where("workspaceId", "=", workspaceId)
    .where("arbiterId", "=", userId)
    .where("state", "=", "open")
    .execute();
});
