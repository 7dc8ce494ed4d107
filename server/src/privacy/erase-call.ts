import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import { findVisibleCall } from "../calls/call/find-call.ts";
import { actorOf } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Caller } from "../platform/caller.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { ChangedMeanwhile, withRetries } from "../platform/database/with-retries.ts";
import { enqueue } from "../platform/queue/queue.ts";
import { newUuidV7 } from "../platform/uuid-v7.ts";
import { lockCalls, readVersions } from "./calls-in-scope.ts";
import { eraseCalls } from "./erase-batch.ts";
import { type Erasure, requestedBy } from "./erasure.ts";
import { onHold } from "./errors.ts";
import { lockHolds } from "./holds/legal-holds-sql.ts";
import { digestOf } from "./ids-digest.ts";
import { insertErasure } from "./request-erasure.ts";
import { eraseRequested, runErasure } from "./run-erasure.ts";

/** After this delay, a worker deletes the objects if this process has not. */
const graceMs = 60_000;

/** Erases one call immediately. */
export async function eraseCall(app: App, caller: Caller, callId: string): Promise<void> {
  const erasure = await withRetries(() =>
    inWorkspace(app, caller.workspaceId, (tx) => eraseRows(app, tx, caller, callId)),
  );
  // The rows are gone and a job is queued for the objects, so an unavailable object store does not fail the request.
  await runErasure(app, erasure).catch((err) =>
    app.log.warn({ err, callId }, "could not delete the objects of an erased call; a worker will retry"),
  );
}

async function eraseRows(app: App, tx: Db, caller: Caller, callId: string): Promise<Erasure> {
  const { workspaceId } = caller;
  await lockHolds(tx, workspaceId, "erase");
  await findVisibleCall(tx, caller, callId);
  const versions = await readVersions(tx, workspaceId, [callId]);
  const actor = actorOf(caller);
  const row = { workspaceId, id: newUuidV7(), kind: "call", callId, state: "running", ...requestedBy(actor) };
  const erasure = await insertErasure(tx, { ...row, found: 1, startedAt: new Date() });
  const { erasable, held } = await lockCalls(tx, erasure, workspaceId, versions);
  if (held.length > 0) {
    throw onHold();
  }
  // Changed or erased by a concurrent transaction.
  if (erasable.length === 0) throw new ChangedMeanwhile();
  await eraseCalls(app, tx, erasure, erasable);
  const startAfter = new Date(Date.now() + graceMs);
  await enqueue(tx, eraseRequested, { workspaceId, erasureId: erasure.id }, { startAfter });
  const idsDigest = digestOf(erasable);
  const { number, hash } = await recordAuditEntry(tx, workspaceId, {
    actor,
    action: "call.erased",
    subject: { type: "call", id: callId },
    data: { erasure_id: erasure.id, ids_digest: idsDigest.toString("hex") },
  });
  await tx
    .updateTable("erasure")
    .set({ auditNumber: number, auditHash: hash })
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", erasure.id)
    .execute();
  return erasure;
}
