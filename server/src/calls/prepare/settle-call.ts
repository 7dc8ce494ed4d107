import type { FailureCode } from "@hearback/contract";
import { sql, type Updateable } from "kysely";
import { emitEvent } from "../../events/emit-event.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import type { Call } from "../../platform/database/tables.ts";
import { runHandlers } from "../../platform/hooks.ts";
import type { Run } from "../../platform/media/analysis/speech.ts";
import { callsReady } from "../hooks.ts";
import type { AnalysedRecording } from "./analyse-recording.ts";
import { type CallRef, endStep } from "./call-step.ts";
import type { StartedStep } from "./prepare-step.ts";
import { claimPrepared, type PreparedObjects } from "./store-prepared.ts";
import { queueIfWanted } from "./transcription-job.ts";

export interface Preparation {
  /** What the objects were made of. */
  readonly started: Pick<StartedStep, "recording" | "muted">;
  readonly analysed: AnalysedRecording;
  readonly objects: PreparedObjects;
}

/**
 * Stores the analysis and marks the call as ready. Returns false if another run of the job did so first; only one emits the event.
 * Or if, since this run started, the call got another recording, or other parts of its sound were masked: a job for it waits.
 */
export async function markReady(
  app: App,
  call: CallRef,
  { started, analysed, objects }: Preparation,
): Promise<boolean> {
  const { codec, channels, sampleRate, durationMs } = analysed;
  const settled = await inWorkspace(app, call.workspaceId, async (tx) => {
    const values = {
      status: "ready",
      codec,
      channels,
      sampleRate,
      durationMs,
      ...objects,
      measured: JSON.stringify(analysed.measured),
      warnings: JSON.stringify(analysed.warnings),
    };
    const { recordingKey } = started.recording;
    const settled = await settle(tx, call, values, { recordingKey, muted: started.muted });
    if (!settled) return false;
    await claimPrepared(tx, objects);
    await endStep(tx, call, "prepare", { state: "done" });
    await runHandlers(app, tx, callsReady, { workspaceId: call.workspaceId, callIds: [call.id] });
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
    const settled = await settle(tx, call, values, { recordingKey });
    if (!settled) return false;
    await endStep(tx, call, "prepare", { state: "failed", reasonCode: code, reasonDetail: detail });
    const data = { ...settled, failure: { code, detail } };
    await emitEvent(tx, { workspaceId: call.workspaceId, type: "call.failed", data });
    return true;
  });
  if (settled) app.metrics.settledCalls.inc({ outcome: code });
}

interface Unchanged {
  readonly recordingKey?: string | undefined;
  readonly muted?: readonly Run[];
}

/** The status condition makes the transition happen only once. */
async function settle(
  tx: Db,
  { workspaceId, id }: CallRef,
  settlement: Updateable<Call>,
  { recordingKey, muted }: Unchanged,
) {
  const row = await tx
    .updateTable("call")
    .set(settlement)
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .where("status", "=", "received")
    .$if(recordingKey !== undefined, (update) => update.where("recordingKey", "=", recordingKey ?? ""))
    .$if(muted !== undefined, (update) =>
      update.where(
        sql<boolean>`coalesce((select muted from transcript where workspace_id = ${workspaceId} and call_id = ${id}), '[]')
          = ${JSON.stringify(muted)}::jsonb`,
      ),
    )
    .returning(["id", "campaignId", "agentId"])
    .executeTakeFirst();
  return row && { call_id: row.id, campaign_id: row.campaignId, agent_id: row.agentId };
}
