import type { CallRef } from "../../calls/prepare/call-step.ts";
import type { Db } from "../../platform/database/database.ts";

/**
 * Locks a call whose transcription has not ended, so that a concurrent transaction that finishes or erases it comes before or
 * after this one. Returns undefined if there is none.
 */
export async function lockStep(tx: Db, { workspaceId, id }: CallRef): Promise<{ attempts: number } | undefined> {
  const locked = await tx
    .selectFrom("call")
    .select("id")
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!locked) return undefined;
  return tx
    .selectFrom("callStep")
    .select("attempts")
    .where("workspaceId", "=", workspaceId)
    .where("callId", "=", id)
    .where("step", "=", "transcribe")
    .where("state", "=", "running")
    .executeTakeFirst();
}
