import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { databaseUnavailable } from "../../platform/database/errors.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { hasErrorCode } from "../../platform/error-code.ts";
import { AppError } from "../../platform/errors.ts";
import type { RecordingFormat } from "../../platform/media/containers/recognition-result.ts";
import { ScratchFull } from "../../platform/media/ffmpeg/media-error.ts";
import { MachineBusy } from "../../platform/media/ffmpeg/run-tool.ts";
import type { PreparableRecording } from "./analyse-recording.ts";
import { RecordingFault } from "./recording-fault.ts";

export interface CallRef {
  readonly workspaceId: string;
  readonly id: string;
}

const step = "prepare";

export interface StartedStep {
  readonly recording: PreparableRecording;
  /** Why the previous attempt failed, and for how long all attempts have failed with that reason. */
  readonly lastReason: { readonly code: string | null; readonly forMs: number };
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
    const started = await tx
      .insertInto("callStep")
      .values({ workspaceId, callId: id, step, state: "running", attempts: 1, startedAt: sql`now()` })
      .onConflict((conflict) =>
        conflict.columns(["workspaceId", "callId", "step"]).doUpdateSet({
          state: "running",
          attempts: sql`call_step.attempts + 1`,
          startedAt: sql`now()`,
          endedAt: null,
        }),
      )
      .returning("reasonCode as code")
      .returning(sql<number>`coalesce(extract(epoch from now() - reason_since) * 1000, 0)::float8`.as("forMs"))
      .executeTakeFirstOrThrow();
    return { recording: { ...call, format: call.format as RecordingFormat }, lastReason: started };
  });
}

interface StepEnd {
  readonly state: "done" | "failed";
  readonly reasonCode?: string;
  readonly reasonDetail?: string;
}

export async function endStep(tx: Db, { workspaceId, id }: CallRef, end: StepEnd): Promise<void> {
  const { state, reasonCode = null, reasonDetail = null } = end;
  const values = { state, reasonCode, reasonDetail, reasonSince: null, endedAt: sql<Date>`now()` };
  await tx
    .insertInto("callStep")
    .values({ workspaceId, callId: id, step, attempts: 0, startedAt: sql`now()`, ...values })
    .onConflict((conflict) => conflict.columns(["workspaceId", "callId", "step"]).doUpdateSet(values))
    .execute();
}

/** Resets the step: the call waits again, with no attempts. */
export async function resetStep(tx: Db, { workspaceId, id }: CallRef): Promise<void> {
  const now = sql<Date>`now()`;
  const reason = { reasonCode: null, reasonDetail: null, reasonSince: null };
  const values = { state: "running", attempts: 0, ...reason, startedAt: now, endedAt: now };
  await tx
    .insertInto("callStep")
    .values({ workspaceId, callId: id, step, ...values })
    .onConflict((conflict) => conflict.columns(["workspaceId", "callId", "step"]).doUpdateSet(values))
    .execute();
}

/** Stores why the attempt failed. Returns false if the step is no longer running or the call is gone, so no retry is needed. */
export async function saveRetryReason(app: App, { workspaceId, id }: CallRef, error: unknown): Promise<boolean> {
  const { code: reasonCode, detail: reasonDetail } = reasonOf(error);
  const updated = await inWorkspace(app, workspaceId, (tx) =>
    tx
      .updateTable("callStep")
      .set({
        reasonCode,
        reasonDetail,
        endedAt: sql`now()`,
        reasonSince: sql`case when reason_code = ${reasonCode} then coalesce(reason_since, now()) else now() end`,
      })
      .where("workspaceId", "=", workspaceId)
      .where("callId", "=", id)
      .where("step", "=", step)
      .where("state", "=", "running")
      .executeTakeFirst(),
  ).catch((err) => app.log.warn({ err, callId: id }, "could not store the reason for the retry"));
  return !updated || updated.numUpdatedRows > 0n;
}

function reasonOf(error: unknown): { code: string; detail: string } {
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
