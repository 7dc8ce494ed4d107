import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";

export interface RemovedCall {
  readonly id: string;
  readonly campaignId: string;
  readonly agentId: string;
  readonly recordingBytes: number;
}

/** What refers to a call and does not go with it by itself. A test finds what is missing here. */
export const partsOfACall = ["callMetadata", "callStep"] as const;

/**
 * Removes calls with everything that is said about them. Their objects are condemned in the same transaction: whoever
 * commits it removes them with `discardStaged`, and if they die the sweeper does.
 */
export async function removeCalls(
  tx: Db,
  { workspaceId, ids, erasureId }: { workspaceId: string; ids: readonly string[]; erasureId: string },
): Promise<RemovedCall[]> {
  if (ids.length === 0) return [];
  for (const part of partsOfACall) {
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
  if (keys.length > 0) {
    // As if staged long ago: nothing can be on its way to a claimed object, so the next sweep may take it.
    await sql`
      insert into staged_object (key, condemned_at, created_at, erasure_id)
      select distinct key, now(), to_timestamp(0), ${erasureId}::uuid from unnest(${keys}::text[]) as key
      on conflict (key) do update set condemned_at = now(), erasure_id = excluded.erasure_id`.execute(tx);
  }
  return removed;
}
