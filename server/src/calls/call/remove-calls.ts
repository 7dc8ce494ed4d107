import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { markErasedObjects } from "../objects/staged-objects.ts";

export interface RemovedCall {
  readonly id: string;
  readonly campaignId: string;
  readonly agentId: string;
  readonly recordingBytes: number;
}

/** Tables with rows of a call that no trigger deletes. A test checks that the list is complete. */
export const callChildTables = ["callMetadata", "callStep", "callNote"] as const;

/**
 * Deletes calls and all rows that reference them, and marks their objects for deletion in the same transaction. After the
 * commit, the caller deletes the objects with `discardErased`.
 */
export async function removeCalls(
  tx: Db,
  { workspaceId, ids, erasureId }: { workspaceId: string; ids: readonly string[]; erasureId: string },
): Promise<RemovedCall[]> {
  if (ids.length === 0) return [];
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
  await sql`select remove_calls_from_reviews(${[...ids]}::uuid[])`.execute(tx);
  if (keys.length > 0) await markErasedObjects(tx, keys, erasureId);
  return removed;
}
