import { sql } from "kysely";
import { callsErased } from "../../calls/hooks.ts";
import { markErasedObjects } from "../../calls/objects/staged-objects.ts";
import type { Db } from "../../platform/database/database.ts";
import { onHook } from "../../platform/hooks.ts";

/** Deletes what was said in erased calls, and marks its objects for deletion. */
export const removeTranscripts = onHook(callsErased, async (tx, { workspaceId, callIds, erasureId }) => {
  const keys = await keysOfTranscripts(tx, workspaceId, callIds);
  for (const part of ["transcript", "transcriptCorrection", "transcriptStretch", "transcriptRun"] as const) {
    await tx.deleteFrom(part).where("workspaceId", "=", workspaceId).where("callId", "in", callIds).execute();
  }
  await markErasedObjects(tx, keys, erasureId);
});

/** Of transcripts, and the keys of transcriptions that have begun. */
async function keysOfTranscripts(tx: Db, workspaceId: string, callIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select object_key as key from transcript where workspace_id = ${workspaceId} and call_id = any(${[...callIds]}::uuid[])
    union all
    select key_object from transcript_run where workspace_id = ${workspaceId} and call_id = any(${[...callIds]}::uuid[])
  `.execute(tx);
  return rows.map(({ key }) => key);
}
