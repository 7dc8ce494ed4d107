import type { AuditAction } from "@hearback/contract";
import { sql } from "kysely";
import { z } from "zod";
import { discardErased } from "../calls/objects/staged-objects.ts";
import { type Actor, system } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { lowestUuid } from "../platform/is-uuid.ts";
import { defineJob } from "../platform/queue/queue.ts";
import { type Batch, eraseBatch } from "./erase-batch.ts";
import { type ErasureRef, findErasure, lockErasure } from "./erasure.ts";
import { finishErasure } from "./finish-erasure.ts";
import { previewErasure } from "./preview-erasure.ts";

export interface RunOptions {
  readonly actor?: Actor;
  /** Overrides the audit action that follows from the kind. */
  readonly action?: AuditAction;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (batches: number) => void;
}

/**
 * Runs an erasure until it is done. Can be interrupted at any time and run concurrently: each batch is one transaction that
 * locks the erasure's row.
 */
export async function runErasure(app: App, ref: ErasureRef, options: RunOptions = {}): Promise<void> {
  const { actor = system, action, signal, onProgress } = options;
  await begin(app, ref, signal);
  let batches = 0;
  for (let done = false; !done; ) {
    const pass = { held: 0, changed: 0 };
    for (let last: string | undefined = lowestUuid; last !== undefined; ) {
      signal?.throwIfAborted();
      const batch: Batch = await eraseBatch(app, ref, last);
      pass.held += batch.held;
      pass.changed += batch.changed;
      last = batch.last;
      onProgress?.(++batches);
    }
    await discardErased(app, ref.id);
    done = await finishErasure(app, ref, { actor, action, pass });
  }
}

/** Kinds that are counted first, so that progress can be shown. */
const countedKinds: readonly string[] = ["call", "agent", "metadata"];

/** Marks the erasure as running and stores how many calls it has to erase, if its kind is counted. */
async function begin(app: App, ref: ErasureRef, signal: AbortSignal | undefined): Promise<void> {
  const { workspaceId, id } = ref;
  const erasure = await inWorkspace(app, workspaceId, (tx) => findErasure(tx, workspaceId, id));
  if (erasure.state === "done" || erasure.found !== null) return;
  const found = countedKinds.includes(erasure.kind) ? (await previewErasure(app, erasure, { signal })).calls : null;
  await inWorkspace(app, workspaceId, async (tx) => {
    const locked = await lockErasure(tx, ref);
    if (!locked || locked.found !== null) return;
    await tx
      .updateTable("erasure")
      .set({ state: "running", found, startedAt: sql`coalesce(started_at, now())` })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .execute();
  });
}

/** Effectively unlimited: a requested erasure must complete. `hearback-server doctor` reports slow ones. */
const retryLimit = 100_000;

export const eraseRequested = defineJob({
  name: "erasure.run",
  concurrency: () => 2,
  options: { retryLimit },
  payload: z.object({ workspaceId: z.uuid(), erasureId: z.uuid() }),
  run: (app, { workspaceId, erasureId }, signal) => runErasure(app, { workspaceId, id: erasureId }, { signal }),
});
