import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import type { ReviewRow } from "./find-review.ts";

type Key = Pick<ReviewRow, "workspaceId" | "calibrationId">;

/**
 * Keeps the calibration session of the review open until the transaction ends. Returns false if it is closed. Call it after the call
 * and before the review is locked.
 */
export async function keepSessionOpen(tx: Db, { workspaceId, calibrationId }: Key): Promise<boolean> {
  if (calibrationId === null) return true;
  const { rows } = await sql`
    select from calibration where workspace_id = ${workspaceId} and id = ${calibrationId} and state = 'open'
    for share`.execute(tx);
  return rows.length > 0;
}

/** Whether the review is for a calibration session that is closed. */
export async function isSessionClosed(tx: Db, { workspaceId, calibrationId }: Key): Promise<boolean> {
  if (calibrationId === null) return false;
  const session = await tx
    .selectFrom("calibration")
    .select("state")
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", calibrationId)
    .executeTakeFirst();
  return session?.state === "closed";
}
