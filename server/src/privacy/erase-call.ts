import { record } from "../audit/record.ts";
import { findKnownCall } from "../calls/find-call.ts";
import { actorOf } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Caller } from "../platform/caller.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { withRetries } from "../platform/database/with-retries.ts";
import { AppError } from "../platform/errors.ts";
import { newIdByTime } from "../platform/ids-by-time.ts";
import { enqueue } from "../platform/queue.ts";
import { ChangedMeanwhile, lockCalls, readVersions } from "./concerned-calls.ts";
import { eraseCalls } from "./erase-batch.ts";
import { type Erasure, requestedBy } from "./erasure.ts";
import { lockHolds } from "./held.ts";
import { insertErasure } from "./request-erasure.ts";
import { eraseRequested, runErasure } from "./run-erasure.ts";

/** When a worker looks whether the objects are gone, should this process not come to it. */
const graceMs = 60_000;

/** Erases one call, now: when it answers, neither the call nor its recording is there. */
export async function eraseCall(app: App, caller: Caller, callId: string): Promise<void> {
  const erasure = await withRetries(() =>
    inWorkspace(app, caller.workspaceId, (tx) => eraseRows(app, tx, caller, callId)),
  );
  // The call is gone, and what is left of this is certain to be done: the client need not wait for a store that is down.
  await runErasure(app, erasure).catch((err) => app.log.warn({ err, callId }, "its objects are left to a worker"));
}

async function eraseRows(app: App, tx: Db, caller: Caller, callId: string): Promise<Erasure> {
  const { workspaceId } = caller;
  await lockHolds(tx, workspaceId, "to erase");
  await findKnownCall(tx, caller, callId);
  const versions = await readVersions(tx, workspaceId, [callId]);
  const actor = actorOf(caller);
  const row = { workspaceId, id: newIdByTime(), kind: "call", callId, state: "running", ...requestedBy(actor) };
  const erasure = await insertErasure(tx, { ...row, found: 1, startedAt: new Date() });
  const { erasable, held } = await lockCalls(tx, erasure, workspaceId, versions);
  if (held.length > 0) {
    throw new AppError(
      "on_hold",
      "A legal hold covers this call, its agent or its campaign. GET /holds lists the holds; release it first.",
    );
  }
  // Changed, or erased by another one.
  if (erasable.length === 0) throw new ChangedMeanwhile();
  await eraseCalls(app, tx, erasure, erasable);
  const startAfter = new Date(Date.now() + graceMs);
  await enqueue(tx, eraseRequested, { workspaceId, erasureId: erasure.id }, { startAfter });
  const { number, hash } = await record(tx, workspaceId, {
    actor,
    action: "call.erased",
    subject: { type: "call", id: callId },
    data: { erasure_id: erasure.id },
  });
  await tx
    .updateTable("erasure")
    .set({ auditNumber: number, auditHash: hash })
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", erasure.id)
    .execute();
  return erasure;
}
