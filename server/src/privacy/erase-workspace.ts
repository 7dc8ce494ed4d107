import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { revokeAllKeys } from "../access/keys/revoke-keys.ts";
import { removeAccess } from "../access/remove-access.ts";
import { objectKinds } from "../calls/objects/object-key.ts";
import { deleteObject, discardErased } from "../calls/objects/staged-objects.ts";
import { type Actor, operator } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { withRetries } from "../platform/database/with-retries.ts";
import { notFound } from "../platform/errors.ts";
import { lowestUuid } from "../platform/is-uuid.ts";
import { newUuidV7 } from "../platform/uuid-v7.ts";
import { removeLinks } from "../users/access-links.ts";
import { endWorkspace } from "../workspaces/end-workspace.ts";
import { eraseBatch, markEntryApplied } from "./erase-batch.ts";
import { type Erasure, findErasure, requestedBy } from "./erasure.ts";
import { onHold } from "./errors.ts";
import { finishErasure } from "./finish-erasure.ts";
import { digestOfErased } from "./ids-digest.ts";
import { findEntry, writeEntry } from "./ledger.ts";

/** Object prefixes of a workspace. The erasure ledger contains only ids and is kept. */
const objectPrefixes = [...objectKinds, "exports"];
const rowBatchSize = 2_000;
/** TTL of the access caches: after this, every process rejects revoked keys and sessions. */
const revocationMs = 1_000;

export interface EraseWorkspaceOptions {
  readonly actor?: Actor;
  /** Resumes this erasure from the ledger. */
  readonly erasureId?: string;
  readonly onProgress?: (step: string, count: number) => void;
}

/**
 * Erases all data of a workspace except its row and its audit log, which contains only ids. Can be interrupted and repeated
 * at any time. Fails while a legal hold is active.
 */
export async function eraseWorkspace(
  app: App,
  workspaceId: string,
  options: EraseWorkspaceOptions = {},
): Promise<Erasure> {
  const { actor = operator, onProgress = () => {} } = options;
  const erasure = await inWorkspace(app, workspaceId, (tx) => open(tx, workspaceId, actor, options.erasureId));
  const entryId = (await findEntry(app.storage, erasure)) ?? (await writeEntry(app.storage, erasure, {}));
  await revokeAccess(app, workspaceId);
  let batches = 0;
  for (let last: string | undefined = lowestUuid; last !== undefined; ) {
    ({ last } = await eraseBatch(app, erasure, last));
    onProgress("batches of calls", ++batches);
  }
  await saveDigest(app, erasure);
  await removeRows(app, workspaceId, onProgress);
  await discardErased(app, erasure.id);
  await removeFolders(app, workspaceId, onProgress);
  await markErased(app, erasure, entryId);
  await finishErasure(app, erasure, { actor, pass: { held: 0, changed: 0 } });
  return inWorkspace(app, workspaceId, (tx) => findErasure(tx, workspaceId, erasure.id));
}

/** Saves the digest before the list of erased calls is deleted with the workspace's rows. Keeps an existing digest. */
async function saveDigest(app: App, erasure: Erasure): Promise<void> {
  const { workspaceId, id } = erasure;
  const { digest } = await digestOfErased(app, erasure);
  await inWorkspace(app, workspaceId, (tx) =>
    tx
      .updateTable("erasure")
      .set({ idsDigest: digest })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .where("idsDigest", "=", Buffer.alloc(32))
      .execute(),
  );
}

async function open(tx: Db, workspaceId: string, actor: Actor, id = newUuidV7()): Promise<Erasure> {
  const workspace = await tx.selectFrom("workspace").select("id").where("id", "=", workspaceId).executeTakeFirst();
  if (!workspace) throw notFound.withDetail("There is no such workspace. Run `workspace list` to see all workspaces.");
  await rejectIfHeld(tx, workspaceId);
  const unfinished = await tx
    .selectFrom("erasure")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("kind", "=", "workspace")
    .where("state", "!=", "done")
    .executeTakeFirst();
  if (unfinished) return unfinished;
  return tx
    .insertInto("erasure")
    .values({ workspaceId, id, kind: "workspace", state: "running", ...requestedBy(actor), startedAt: new Date() })
    .onConflict((conflict) => conflict.columns(["workspaceId", "id"]).doUpdateSet({ state: "running" }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function rejectIfHeld(tx: Db, workspaceId: string): Promise<void> {
  const held = await tx
    .selectFrom("legalHold")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("workspaceId", "=", workspaceId)
    .where("releasedAt", "is", null)
    .executeTakeFirstOrThrow();
  if (held.count === 0) return;
  throw onHold.withDetail(
    `This workspace has ${held.count} active legal hold${held.count > 1 ? "s" : ""}. Release ${held.count > 1 ? "them" : "it"} first (GET /holds, DELETE /holds/{id}).`,
  );
}

/** Revokes all API keys and sessions, and waits until every process rejects them. Then checks again for legal holds. */
async function revokeAccess(app: App, workspaceId: string): Promise<void> {
  await inWorkspace(app, workspaceId, async (tx) => {
    await revokeAllKeys(tx, workspaceId);
    await removeLinks(tx, workspaceId);
    await removeAccess(tx, workspaceId);
  });
  await sleep(revocationMs);
  await inWorkspace(app, workspaceId, (tx) => rejectIfHeld(tx, workspaceId));
}

async function removeRows(app: App, workspaceId: string, onProgress: (step: string, count: number) => void) {
  for (let removed = 0; ; ) {
    const { rows } = await withRetries(() =>
      inWorkspace(app, workspaceId, (tx) =>
        sql<{ count: number }>`select remove_workspace_rows(${rowBatchSize}::int) as count`.execute(tx),
      ),
    );
    const count = rows[0]?.count ?? 0;
    if (count === 0) return;
    removed += count;
    onProgress("rows", removed);
  }
}

/** Deletes the remaining objects below the workspace's prefixes, for example unfinished uploads. */
async function removeFolders(app: App, workspaceId: string, onProgress: (step: string, count: number) => void) {
  let removed = 0;
  for (const prefix of objectPrefixes) {
    for await (const key of app.storage.list(`${prefix}/${workspaceId}/`)) {
      await deleteObject(app, key);
      onProgress("objects", ++removed);
    }
  }
}

/** Marks the workspace as erased, ends its other erasures and deletes their search terms. */
async function markErased(app: App, erasure: Erasure, entryId: string): Promise<void> {
  const { workspaceId, id } = erasure;
  await inWorkspace(app, workspaceId, async (tx) => {
    // Last, because until then a worker resumes an interrupted erasure from the ledger.
    await markEntryApplied(tx, erasure, entryId);
    await endWorkspace(tx, workspaceId);
    await tx
      .updateTable("erasure")
      .set({ state: "done", metadataKey: null, metadataValue: null })
      .where("workspaceId", "=", workspaceId)
      .where("id", "!=", id)
      .where("state", "!=", "done")
      .execute();
  });
}
