import { sql } from "kysely";
import { callsErased } from "../../calls/hooks.ts";
import { onHook } from "../../platform/hooks.ts";

/** The calls can no longer be scored. Answers that were submitted stay, so the rows do. */
export const markErasedCalls = onHook(callsErased, async (tx, { workspaceId, callIds }) => {
  await tx
    .updateTable("calibrationCall")
    .set({ erasedAt: sql<Date>`now()` })
    .where("workspaceId", "=", workspaceId)
    .where("callId", "in", callIds)
    .execute();
});
