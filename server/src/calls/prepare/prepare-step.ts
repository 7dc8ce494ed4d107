import type { App } from "../../platform/app.ts";
import { databaseUnavailable } from "../../platform/database/errors.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { hasErrorCode } from "../../platform/error-code.ts";
import { AppError } from "../../platform/errors.ts";
import type { Run } from "../../platform/media/analysis/speech.ts";
import type { RecordingFormat } from "../../platform/media/containers/recognition-result.ts";
import { ScratchFull } from "../../platform/media/ffmpeg/media-error.ts";
import { MachineBusy } from "../../platform/media/ffmpeg/run-tool.ts";
import type { PreparableRecording } from "./analyse-recording.ts";
import { beginStep, type CallRef, type LastReason, type StepReason } from "./call-step.ts";
import { RecordingFault } from "./recording-fault.ts";

export interface StartedStep {
  readonly recording: PreparableRecording;
  readonly lastReason: LastReason;
  /** Parts of the sound that were masked before, in milliseconds. */
  readonly muted: readonly Run[];
}

/** Marks the step as running and returns the recording. Returns undefined if the call is already prepared, failed or erased. */
export async function startStep(app: App, { workspaceId, id }: CallRef): Promise<StartedStep | undefined> {
  return inWorkspace(app, workspaceId, async (tx) => {
    const call = await tx
      .selectFrom("call")
      .select(["status", "recordingKey", "recordingBytes", "sha256", "format"])
      .select(["codec", "channels", "sampleRate", "durationMs"])
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      // Waits for a concurrent transaction that finishes the call, so that this one cannot mark the step as running again.
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (call?.status !== "received") return undefined;
    const lastReason = await beginStep(tx, { workspaceId, id }, "prepare");
    const transcript = await tx
      .selectFrom("transcript")
      .select("muted")
      .where("workspaceId", "=", workspaceId)
      .where("callId", "=", id)
      .executeTakeFirst();
    const muted = (transcript?.muted ?? []) as unknown as Run[];
    return { recording: { ...call, format: call.format as RecordingFormat }, lastReason, muted };
  });
}

/** True if every attempt within the configured retry period failed with the same recording fault. */
export function isPermanentFault(app: App, lastReason: LastReason, error: unknown): error is RecordingFault {
  if (!(error instanceof RecordingFault)) return false;
  const { retryMs } = app.config.recordings;
  return retryMs === 0 || (lastReason.code === error.code && lastReason.forMs >= retryMs);
}

/** What a step says about an error that is retried. */
export function reasonOf(error: unknown): StepReason {
  if (error instanceof ScratchFull || hasErrorCode(error, "ENOSPC"))
    return { code: "scratch_full", detail: "The worker's scratch folder is full." };
  if (error instanceof MachineBusy)
    return { code: "machine_busy", detail: "The worker was too busy to decode the recording in time." };
  if (error instanceof RecordingFault) return { code: error.code, detail: error.message };
  if (error instanceof AppError && error.code === "storage_unavailable")
    return { code: "storage_unavailable", detail: "The object store is unavailable." };
  if (databaseUnavailable(error)) return { code: "database_unavailable", detail: "PostgreSQL is unavailable." };
  return { code: "not_now", detail: "A temporary error occurred. See the worker's log." };
}
