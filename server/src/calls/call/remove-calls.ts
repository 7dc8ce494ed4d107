import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { markErasedObjects, markFormerObjects } from "../objects/staged-objects.ts";

export interface RemovedCall {
  readonly id: string;
  readonly campaignId: string;
  readonly agentId: string;
  readonly recordingBytes: number;
}

/** Tables with rows of a call that no trigger deletes. A test checks that the list is complete. */
export const callChildTables = [
  "callMetadata",
  "callStep",
  "callNote",
  "callWords",
  "transcript",
  "transcriptCorrection",
  "transcriptStretch",
  "transcriptRun",
] as const;

/**
 * Deletes calls and all rows that reference them, and marks their objects, former ones included, for deletion in the same transaction. After the
 * commit, the caller deletes the objects with `discardErased`.
 */
export async function removeCalls(
  tx: Db,
  { workspaceId, ids, erasureId }: { workspaceId: string; ids: readonly string[]; erasureId: string },
): Promise<RemovedCall[]> {
  if (ids.length === 0) return [];
  const transcriptKeys = await keysOfTranscripts(tx, workspaceId, ids);
  for (const part of callChildTables) {
    await tx.deleteFrom(part).where("workspaceId", "=", workspaceId).where("callId", "in", ids).execute();
  }
  const removed = await tx
    .deleteFrom("call")
    .where("workspaceId", "=", workspaceId)
    .where("id", "in", ids)
    .returning(["id", "campaignId", "agentId", "recordingBytes", "recordingKey", "playbackKey", "drawingKey"])
    .execute();
  const keys = removed.flatMap(({ recordingKey, playbackKey, drawingKey }) =>
    [recordingKey, playbackKey, drawingKey].filter((key) => key !== null),
  );
  keys.push(...transcriptKeys);
  await sql`select remove_calls_from_reviews(${[...ids]}::uuid[]), skip_assignments_of(${[...ids]}::uuid[])`.execute(
    tx,
  );
  // Answers that were submitted stay, so the row does; the call can no longer be scored.
  await tx
    .updateTable("calibrationCall")
    .set({ erasedAt: sql<Date>`now()` })
    .where("workspaceId", "=", workspaceId)
    .where("callId", "in", ids)
    .execute();
  await markErasedObjects(tx, keys, erasureId);
  await markFormerObjects(tx, ids, erasureId);
  return removed;
}

/** Objects with what was said: of transcripts, and the keys of transcriptions that have begun. */
async function keysOfTranscripts(tx: Db, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select object_key as key from transcript where workspace_id = ${workspaceId} and call_id = any(${[...ids]}::uuid[])
    union all
    select key_object from transcript_run where workspace_id = ${workspaceId} and call_id = any(${[...ids]}::uuid[])
  `.execute(tx);
  return rows.map(({ key }) => key);
}
