import type { FailureCode } from "@hearback/contract";
import { sql, type Updateable } from "kysely";
import { emitEvent } from "../../events/emit-event.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import type { Call } from "../../platform/database/tables.ts";
import type { AnalysedRecording } from "./analyse-recording.ts";
import { type CallRef, endStep } from "./call-step.ts";
import { claimPrepared, type PreparedObjects } from "./store-prepared.ts";
import { queueIfWanted } from "./transcription-job.ts";

/** Stores the analysis and marks the call as ready. Returns false if another run of the job did so first; only one emits the event. */
export async function markReady(
  app: App,
  call: CallRef,
  analysed: AnalysedRecording,
  objects: PreparedObjects,
): Promise<boolean> {
  const { codec, channels, sampleRate, durationMs } = analysed;
  const settled = await inWorkspace(app, call.workspaceId, async (tx) => {
    const settled = await settle(tx, call, {
      status: "ready",
      codec,
      channels,
      sampleRate,
      durationMs,
      ...objects,
      measured: JSON.stringify(analysed.measured),
      warnings: JSON.stringify(analysed.warnings),
    });
    if (!settled) return false;
    await claimPrepared(tx, objects);
    await endStep(tx, call, "prepare", { state: "done" });
    await noteReady(tx, call);
    await queueIfWanted(tx, call, settled.campaign_id);
    await emitEvent(tx, { workspaceId: call.workspaceId, type: "call.ready", data: settled });
    return true;
  });
  if (settled) {
    app.metrics.settledCalls.inc({ outcome: "ready" });
    app.metrics.preparedSeconds.inc(durationMs / 1000);
  }
  return settled;
}

/**
 * Makes the call a candidate for the draws of the workspace's plans. A plan that is being created is not missed: the frame of its
 * first draw begins after its commit, and this statement's snapshot is taken after the transaction's first write.
 */
async function noteReady(tx: Db, { workspaceId, id }: CallRef): Promise<void> {
  await sql`
    insert into ready_call (workspace_id, call_id) select ${workspaceId}, ${id}
    where exists (select from review_plan where workspace_id = ${workspaceId} and ended_at is null)`.execute(tx);
}

export interface CallFailure {
  readonly code: FailureCode;
  readonly detail: string;
  /** Applies only if the call still has this recording. An import may have replaced it meanwhile. */
  readonly recordingKey?: string;
}

/** Marks the call as failed and stores the reason. */
export async function markFailed(app: App, call: CallRef, failure: CallFailure): Promise<void> {
  const { code, detail, recordingKey } = failure;
  const settled = await inWorkspace(app, call.workspaceId, async (tx) => {
    const values = { status: "failed", failureCode: code, failureDetail: detail };
    const settled = await settle(tx, call, values, recordingKey);
    if (!settled) return false;
    await endStep(tx, call, "prepare", { state: "failed", reasonCode: code, reasonDetail: detail });
    const data = { ...settled, failure: { code, detail } };
    await emitEvent(tx, { workspaceId: call.workspaceId, type: "call.failed", data });
    return true;
  });
  if (settled) app.metrics.settledCalls.inc({ outcome: code });
}

/** The status condition makes the transition happen only once. */
async function settle(tx: Db, { workspaceId, id }: CallRef, settlement: Updateable<Call>, recordingKey?: string) {
  const row = await tx
    .updateTable("call")
    .set(settlement)
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .where("status", "=", "received")
    .$if(recordingKey !== undefined, (update) => update.where("recordingKey", "=", recordingKey ?? ""))
    .returning(["id", "campaignId", "agentId"])
    .executeTakeFirst();
  return row && { call_id: row.id, campaign_id: row.campaignId, agent_id: row.agentId };
}
