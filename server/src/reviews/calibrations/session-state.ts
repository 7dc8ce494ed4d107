import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import type { ReviewRow } from "../find-review.ts";

type Key = Pick<ReviewRow, "workspaceId" | "calibrationId">;

/**
 * Keeps the calibration session of the review open until the transaction ends. Returns false if it is closed. Call before the review is
 * locked, in the order of changes of sessions.
 */
export async function keepSessionOpen(tx: Db, { workspaceId, calibrationId }: Key): Promise<boolean> {
  if (calibrationId === null) return true;
  const { rows } = await sql<{ state: string }>`
    select state from calibration where workspace_id = ${workspaceId} and id = ${calibrationId} for share`.execute(tx);
  return rows[0]?.state === "open";
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
