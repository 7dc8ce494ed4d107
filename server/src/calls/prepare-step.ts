import { sql } from "kysely";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { databaseUnavailable } from "../platform/database/unavailable.ts";
import { AppError } from "../platform/errors.ts";
import { ScratchFull } from "../platform/media/media-error.ts";
import { MachineBusy } from "../platform/media/run-tool.ts";
import type { RecordingFormat } from "../platform/media/verdict.ts";
import type { StoredRecording } from "./learn-audio.ts";

export interface CallRef {
  readonly workspaceId: string;
  readonly id: string;
}

const step = "prepare";

/** Notes that a worker has the call, and gives its recording; undefined: there is nothing left to do. */
export async function beginStep(app: App, { workspaceId, id }: CallRef): Promise<StoredRecording | undefined> {
  return inWorkspace(app, workspaceId, async (tx) => {
    const call = await tx
      .selectFrom("call")
      .select(["status", "recordingKey", "recordingBytes", "format", "codec", "channels", "sampleRate", "durationMs"])
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      // Whoever settles the call meanwhile is waited for: its step must not be called running afterwards.
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (call?.status !== "received") return undefined;
    await tx
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
      .execute();
    return { ...call, format: call.format as RecordingFormat };
  });
}

interface StepEnd {
  readonly state: "done" | "failed";
  readonly reasonCode?: string;
  readonly reasonDetail?: string;
}

export async function endStep(tx: Db, { workspaceId, id }: CallRef, end: StepEnd): Promise<void> {
  const { state, reasonCode = null, reasonDetail = null } = end;
  const values = { state, reasonCode, reasonDetail, endedAt: sql<Date>`now()` };
  await tx
    .insertInto("callStep")
    .values({ workspaceId, callId: id, step, attempts: 0, startedAt: sql`now()`, ...values })
    .onConflict((conflict) => conflict.columns(["workspaceId", "callId", "step"]).doUpdateSet(values))
    .execute();
}

/** The call waits again, from now on, as if it had never been tried. */
export async function resetStep(tx: Db, { workspaceId, id }: CallRef): Promise<void> {
  const now = sql<Date>`now()`;
  const values = { state: "running", attempts: 0, reasonCode: null, reasonDetail: null, startedAt: now, endedAt: now };
  await tx
    .insertInto("callStep")
    .values({ workspaceId, callId: id, step, ...values })
    .onConflict((conflict) => conflict.columns(["workspaceId", "callId", "step"]).doUpdateSet(values))
    .execute();
}

/** Says on the call why it has to be tried again. False: it does not wait for that any more, or is gone. */
export async function noteReason(app: App, { workspaceId, id }: CallRef, error: unknown): Promise<boolean> {
  const { code: reasonCode, detail: reasonDetail } = reasonOf(error);
  const noted = await inWorkspace(app, workspaceId, (tx) =>
    tx
      .updateTable("callStep")
      .set({ reasonCode, reasonDetail, endedAt: sql`now()` })
      .where("workspaceId", "=", workspaceId)
      .where("callId", "=", id)
      .where("step", "=", step)
      .where("state", "=", "running")
      .executeTakeFirst(),
  ).catch((err) => app.log.warn({ err, callId: id }, "the reason could not be noted"));
  return !noted || noted.numUpdatedRows > 0n;
}

function reasonOf(error: unknown): { code: string; detail: string } {
  const noSpace = error instanceof Error && "code" in error && error.code === "ENOSPC";
  if (error instanceof ScratchFull || noSpace)
    return { code: "scratch_full", detail: "The worker's scratch folder is full." };
  if (error instanceof MachineBusy)
    return { code: "machine_busy", detail: "The worker's machine was too busy to decode it in time." };
  if (error instanceof AppError && error.code === "storage_unavailable")
    return { code: "storage_unavailable", detail: "The object store could not answer." };
  if (databaseUnavailable(error)) return { code: "database_unavailable", detail: "PostgreSQL could not answer." };
  return { code: "not_now", detail: "Something that should pass was in the way; the worker's log says what." };
}
