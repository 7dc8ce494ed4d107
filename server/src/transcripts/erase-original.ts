import { sql } from "kysely";
import { stageFormerObjects } from "../calls/objects/staged-objects.ts";
import type { CallRef } from "../calls/prepare/call-step.ts";
import type { Db } from "../platform/database/database.ts";
import { isHeld } from "../privacy/legal-holds-sql.ts";

/**
 * Marks the original recording of a call as erased. Returns its object, which the caller deletes after the commit; if it crashes
 * before that, the sweeper does. A recording under legal hold is kept; the caller has locked the holds.
 */
export async function eraseOriginal(tx: Db, { workspaceId, id }: CallRef): Promise<string | undefined> {
  const erased = await tx
    .updateTable("call")
    .set({ originalErasedAt: sql<Date>`now()`, recordingDamage: null })
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .where("originalErasedAt", "is", null)
    .where((eb) => eb.not(isHeld))
    .returning(["recordingKey", "recordingBytes"])
    .executeTakeFirst();
  if (!erased) return undefined;
  await stageFormerObjects(tx, id, [erased.recordingKey]);
  await tx
    .updateTable("workspaceUsage")
    .set({ bytes: sql`bytes - ${erased.recordingBytes}` })
    .where("workspaceId", "=", workspaceId)
    .execute();
  return erased.recordingKey;
}
