import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";

/** Whether the workspace has used its minutes of the day (UTC). */
export async function isQuotaUsed(tx: Db, workspaceId: string, minutes: number | null): Promise<boolean> {
  if (minutes === null) return false;
  const { rows } = await sql<{ used: boolean }>`
    select speech_ms >= ${minutes * 60_000} as used
    from transcription_usage where workspace_id = ${workspaceId} and day = (now() at time zone 'UTC')::date`.execute(
    tx,
  );
  return rows[0]?.used ?? false;
}
