import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { runHandlers } from "../../platform/hooks.ts";
import { callsErased } from "../hooks.ts";
import { markErasedObjects, markFormerObjects } from "../objects/staged-objects.ts";

export interface RemovedCall {
  readonly id: string;
  readonly campaignId: string;
  readonly agentId: string;
  readonly recordingBytes: number;
}

/** Tables of this domain with rows of a call that no trigger deletes. */
const callTables = ["callMetadata", "callStep", "callNote", "callWords"] as const;

/**
 * Deletes calls and all rows that reference them, and marks their objects, former ones included, for deletion in the same transaction. After the
 * commit, the caller deletes the objects with `discardErased`.
 */
export async function removeCalls(
  app: App,
  tx: Db,
  { workspaceId, ids, erasureId }: { workspaceId: string; ids: readonly string[]; erasureId: string },
): Promise<RemovedCall[]> {
  if (ids.length === 0) return [];
  for (const part of callTables) {
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
  await runHandlers(app, tx, callsErased, { workspaceId, callIds: ids, erasureId });
  await markErasedObjects(tx, keys, erasureId);
  await markFormerObjects(tx, ids, erasureId);
  return removed;
}
