import type { AuditAction } from "@hearback/contract";
import { sql } from "kysely";
import { z } from "zod";
import { type Actor, system } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { lowestUuid } from "../platform/is-uuid.ts";
import { defineJob } from "../platform/queue.ts";
import { eraseBatch, removeObjects } from "./erase-batch.ts";
import { type ErasureRef, lockErasure } from "./erasure.ts";
import { finishErasure } from "./finish-erasure.ts";
import { previewErasure } from "./preview-erasure.ts";

export interface RunOptions {
  readonly actor?: Actor;
  /** As what it is recorded when it is done, where it is not what its kind says. */
  readonly action?: AuditAction;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (batches: number) => void;
}

/**
 * Carries an erasure on until it is done. It may be stopped at any time and run again, also by several at once: each
 * batch is one transaction that holds the erasure's row.
 */
export async function runErasure(app: App, ref: ErasureRef, options: RunOptions = {}): Promise<void> {
  const { actor = system, action, signal, onProgress } = options;
  await begin(app, ref);
  let batches = 0;
  do {
    for (let last: string | undefined = lowestUuid; last !== undefined; ) {
      signal?.throwIfAborted();
      last = await eraseBatch(app, ref, last);
      onProgress?.(++batches);
    }
    await removeObjects(app, ref.id);
  } while (!(await finishErasure(app, ref, { actor, action })));
}

/** Notes that it runs, and how many calls it concerns. */
async function begin(app: App, ref: ErasureRef): Promise<void> {
  await inWorkspace(app, ref.workspaceId, async (tx) => {
    const erasure = await lockErasure(tx, ref);
    if (!erasure || erasure.found !== null) return;
    const { calls } = await previewErasure(tx, erasure);
    await tx
      .updateTable("erasure")
      .set({ state: "running", found: calls, startedAt: sql`coalesce(started_at, now())` })
      .where("workspaceId", "=", ref.workspaceId)
      .where("id", "=", ref.id)
      .execute();
  });
}

/** An erasure is never given up: it was promised. `doctor` tells of one that takes long. */
const forever = 100_000;

export const eraseRequested = defineJob({
  name: "erasure.run",
  concurrency: () => 2,
  options: { retryLimit: forever },
  payload: z.object({ workspaceId: z.uuid(), erasureId: z.uuid() }),
  run: (app, { workspaceId, erasureId }, signal) => runErasure(app, { workspaceId, id: erasureId }, { signal }),
});
