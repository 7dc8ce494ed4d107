import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { type Actor, operator } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { withRetries } from "../platform/database/with-retries.ts";
import { AppError } from "../platform/errors.ts";
import { newIdByTime } from "../platform/ids-by-time.ts";
import { lowestUuid } from "../platform/is-uuid.ts";
import { removeAccess } from "../users/remove-access.ts";
import { eraseBatch, noteEntry, removeObjects } from "./erase-batch.ts";
import { type Erasure, findErasure, requestedBy } from "./erasure.ts";
import { finishErasure } from "./finish-erasure.ts";
import { findEntry, writeEntry } from "./ledger.ts";

/** Where a workspace has its objects. The ledger of erasures is not among them: it holds ids and stays. */
const objectPrefixes = ["recordings", "playback", "drawings", "exports"];
const rowsAtOnce = 2_000;
/** After this a revoked key is refused by every process. */
const revokedMs = 1_000;

export interface EraseWorkspaceOptions {
  readonly actor?: Actor;
  /** The erasure to go on with, as the ledger knows it. */
  readonly erasureId?: string;
  readonly onProgress?: (step: string, count: number) => void;
}

/**
 * Erases everything of a workspace. Its audit log, which holds ids, and its row stay. May be stopped and repeated at any
 * time; refused while something of it is held.
 */
export async function eraseWorkspace(
  app: App,
  workspaceId: string,
  options: EraseWorkspaceOptions = {},
): Promise<Erasure> {
  const { actor = operator, onProgress = () => {} } = options;
  const erasure = await inWorkspace(app, workspaceId, (tx) => open(tx, workspaceId, actor, options.erasureId));
  const entryId = (await findEntry(app.storage, erasure)) ?? (await writeEntry(app.storage, erasure, {}));
  await closeDoors(app, workspaceId);
  let batches = 0;
  for (let last: string | undefined = lowestUuid; last !== undefined; ) {
    last = await eraseBatch(app, erasure, last);
    onProgress("batches of calls", ++batches);
  }
  await removeRows(app, workspaceId, onProgress);
  await removeObjects(app, erasure.id);
  await removeFolders(app, workspaceId, onProgress);
  await nameErased(app, erasure, entryId);
  await finishErasure(app, erasure, { actor });
  return inWorkspace(app, workspaceId, (tx) => findErasure(tx, workspaceId, erasure.id));
}

async function open(tx: Db, workspaceId: string, actor: Actor, id = newIdByTime()): Promise<Erasure> {
  const workspace = await tx.selectFrom("workspace").select("id").where("id", "=", workspaceId).executeTakeFirst();
  if (!workspace)
    throw new AppError("not_found", "There is no such workspace. `workspace list` shows those there are.");
  await refuseHeld(tx, workspaceId);
  const standing = await tx
    .selectFrom("erasure")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("kind", "=", "workspace")
    .where("state", "!=", "done")
    .executeTakeFirst();
  if (standing) return standing;
  return tx
    .insertInto("erasure")
    .values({ workspaceId, id, kind: "workspace", state: "running", ...requestedBy(actor), startedAt: new Date() })
    .onConflict((conflict) => conflict.columns(["workspaceId", "id"]).doUpdateSet({ state: "running" }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function refuseHeld(tx: Db, workspaceId: string): Promise<void> {
  const held = await tx
    .selectFrom("legalHold")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("workspaceId", "=", workspaceId)
    .where("releasedAt", "is", null)
    .executeTakeFirstOrThrow();
  if (held.count === 0) return;
  throw new AppError(
    "on_hold",
    `${held.count} legal hold${held.count > 1 ? "s are" : " is"} in force in this workspace: release them first (GET /holds, DELETE /holds/{id}).`,
  );
}

/** Revokes every key, signs everybody out and waits until no process believes one any more. A hold made until then still counts. */
async function closeDoors(app: App, workspaceId: string): Promise<void> {
  await inWorkspace(app, workspaceId, async (tx) => {
    await tx
      .updateTable("apiKey")
      .set({ revokedAt: new Date() })
      .where("workspaceId", "=", workspaceId)
      .where("revokedAt", "is", null)
      .execute();
    await removeAccess(tx, workspaceId);
  });
  await sleep(revokedMs);
  await inWorkspace(app, workspaceId, (tx) => refuseHeld(tx, workspaceId));
}

async function removeRows(app: App, workspaceId: string, onProgress: (step: string, count: number) => void) {
  for (let removed = 0; ; ) {
    const { rows } = await withRetries(() =>
      inWorkspace(app, workspaceId, (tx) =>
        sql<{ count: number }>`select remove_workspace_rows(${rowsAtOnce}::int) as count`.execute(tx),
      ),
    );
    const count = rows[0]?.count ?? 0;
    if (count === 0) return;
    removed += count;
    onProgress("rows", removed);
  }
}

/** What no row names any more: uploads that were under way, and whatever else is in the workspace's folders. */
async function removeFolders(app: App, workspaceId: string, onProgress: (step: string, count: number) => void) {
  let removed = 0;
  for (const prefix of objectPrefixes) {
    for await (const key of app.storage.list(`${prefix}/${workspaceId}/`)) {
      await app.storage.delete(key);
      await app.db.deleteFrom("stagedObject").where("key", "=", key).execute();
      onProgress("objects", ++removed);
    }
  }
}

/** Other erasures of it are over too, and what they looked for is forgotten. */
async function nameErased(app: App, erasure: Erasure, entryId: string): Promise<void> {
  const { workspaceId, id } = erasure;
  await inWorkspace(app, workspaceId, async (tx) => {
    // Not before: until then the ledger makes a worker go on with it, should we be stopped.
    await noteEntry(tx, erasure, entryId);
    await tx
      .updateTable("workspace")
      .set({ name: "Erased", settings: "{}", erasedAt: sql`coalesce(erased_at, now())` })
      .where("id", "=", workspaceId)
      .execute();
    await tx
      .updateTable("erasure")
      .set({ state: "done", metadataKey: null, metadataValue: null })
      .where("workspaceId", "=", workspaceId)
      .where("id", "!=", id)
      .where("state", "!=", "done")
      .execute();
  });
}
