import { markOriginalErased } from "../../calls/change/mark-original-erased.ts";
import { stageFormerObjects } from "../../calls/objects/staged-objects.ts";
import type { CallRef } from "../../calls/prepare/call-step.ts";
import type { Db } from "../../platform/database/database.ts";
import { isHeld } from "../../privacy/holds/legal-holds-sql.ts";
import { subtractBytes } from "../../workspaces/usage.ts";

/**
 * Marks the original recording of a call as erased. Returns its object, which the caller deletes after the commit; if it crashes
 * before that, the sweeper does. A recording under legal hold is kept; the caller has locked the holds.
 */
export async function eraseOriginal(tx: Db, { workspaceId, id }: CallRef): Promise<string | undefined> {
  const erased = await markOriginalErased(tx, { workspaceId, id }, { unless: isHeld });
  if (!erased) return undefined;
  await stageFormerObjects(tx, id, [erased.recordingKey]);
  await subtractBytes(tx, workspaceId, erased.recordingBytes);
  return erased.recordingKey;
}
