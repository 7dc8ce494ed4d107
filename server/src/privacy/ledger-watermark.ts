import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { firstUuidV7Of } from "../platform/uuid-v7.ts";
import { listWorkspaces } from "../workspaces/list-workspaces.ts";

/** Allowance for clock skew between machines. */
const clockSkewMs = 24 * 3600_000;

/**
 * Watermark per workspace: erasures with a lower id are done and get no more ledger entries. Erasure ids are UUIDv7, so they
 * sort by the time of the request.
 */
export async function findWatermarks(app: App): Promise<Map<string, string>> {
  const newest = firstUuidV7Of(new Date(Date.now() - clockSkewMs));
  const watermarks = new Map<string, string>();
  for (const { id: workspaceId } of await listWorkspaces(app.db)) {
    const unfinished = await inWorkspace(app, workspaceId, (tx) =>
      tx
        .selectFrom("erasure")
        .select("id")
        .where("workspaceId", "=", workspaceId)
        .where("state", "!=", "done")
        .orderBy("id")
        .limit(1)
        .executeTakeFirst(),
    );
    watermarks.set(workspaceId, unfinished && unfinished.id < newest ? unfinished.id : newest);
  }
  return watermarks;
}
