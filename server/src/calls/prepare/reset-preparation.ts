import type { Updateable } from "kysely";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import type { Call } from "../../platform/database/tables.ts";
import { enqueue } from "../../platform/queue/queue.ts";
import { stageFormerObjects } from "../objects/staged-objects.ts";
import { type CallRef, resetStep } from "./call-step.ts";
import { prepareCall } from "./prepare-call.ts";

/** Columns of a call that waits for its preparation. */
export const unprepared = {
  status: "received",
  failureCode: null,
  failureDetail: null,
  measured: null,
  warnings: "[]",
  playbackKey: null,
  playbackBytes: null,
  drawingKey: null,
  waveformBytes: null,
  drawingBytes: null,
} satisfies Updateable<Call>;

/** Queues an unprepared call whose former objects nothing refers to any more. */
export async function queueAgain(tx: Db, call: CallRef, formerKeys: readonly (string | null)[]): Promise<void> {
  await stageFormerObjects(tx, call.id, formerKeys);
  await resetStep(tx, call, "prepare");
  await enqueue(tx, prepareCall, { workspaceId: call.workspaceId, callId: call.id });
}

/**
 * Prepares a call again. Returns false if it changed meanwhile: `playbackKey` is the playback copy that it had. Or if its original
 * recording was erased: then there is nothing to prepare it from.
 */
export async function resetPreparation(app: App, call: CallRef, playbackKey: string | null): Promise<boolean> {
  const { workspaceId, id } = call;
  return inWorkspace(app, workspaceId, async (tx) => {
    const before = await tx
      .selectFrom("call")
      .select(["playbackKey", "drawingKey", "originalErasedAt"])
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!before || before.playbackKey !== playbackKey || before.originalErasedAt) return false;
    await tx.updateTable("call").set(unprepared).where("workspaceId", "=", workspaceId).where("id", "=", id).execute();
    await queueAgain(tx, call, [before.playbackKey, before.drawingKey]);
    return true;
  });
}
