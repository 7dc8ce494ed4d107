import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { databaseUnavailable } from "../platform/database/unavailable.ts";
import { MediaError, ScratchFull } from "../platform/media/media-error.ts";
import { MachineBusy } from "../platform/media/run-tool.ts";
import type { RecordingFormat } from "../platform/media/verdict.ts";
import { defineJob } from "../platform/queue.ts";
import { learnAudio, type StoredRecording } from "./learn-audio.ts";
import { type CallRef, makeFailed, makeReady } from "./settle-call.ts";
import { discardPrepared, storePrepared } from "./store-prepared.ts";

const payload = z.object({ workspaceId: z.uuid(), callId: z.uuid() });

/** Ends what was tried often enough in vain, or killed its worker each time: nobody is left waiting without a word. */
export const abandonCall = defineJob({
  name: "call.abandon",
  payload,
  async run(app, { workspaceId, callId }) {
    const detail =
      "Preparing it failed again and again for reasons that should have passed. The worker's log says which; then prepare the call again.";
    await makeFailed(app, { workspaceId, id: callId }, "preparation_abandoned", detail);
  },
});

/** First job of every call: learns what the recording is and makes it playable. */
export const prepareCall = defineJob({
  name: "call.prepare",
  concurrency: (app) => app.config.media.concurrency,
  givenUpBy: abandonCall,
  payload,
  async run(app, { workspaceId, callId }) {
    const call = { workspaceId, id: callId };
    const recording = await beginStep(app, call);
    if (!recording) return;
    try {
      await prepare(app, call, recording);
    } catch (error) {
      if (!(error instanceof MediaError)) {
        await noteReason(app, call, error);
        throw error;
      }
      app.log.warn({ callId, workspaceId, code: error.code }, "recording refused");
      await makeFailed(app, call, error.code, error.message);
    }
  },
});

async function prepare(app: App, call: CallRef, recording: StoredRecording): Promise<void> {
  const scratch = await app.scratch();
  await scratch.withFolder(async (folder) => {
    const learned = await learnAudio(app, recording, folder);
    const objects = await storePrepared(app, call.workspaceId, learned);
    let settled = false;
    try {
      settled = await makeReady(app, call, learned, objects);
    } finally {
      // Also if the answer was lost: nothing is removed that the call has claimed.
      if (!settled) await discardPrepared(app, objects).catch((err) => app.log.warn({ err }, "left to the sweeper"));
    }
    app.metrics.preparedSeconds.inc(learned.durationMs / 1000);
  });
}

/** Notes that a worker has it, and gives the recording; undefined: there is nothing left to do. */
async function beginStep(app: App, { workspaceId, id }: CallRef): Promise<StoredRecording | undefined> {
  return inWorkspace(app, workspaceId, async (tx) => {
    const call = await tx
      .selectFrom("call")
      .select(["status", "recordingKey", "recordingBytes", "format", "codec", "channels", "sampleRate", "durationMs"])
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .executeTakeFirst();
    if (call?.status !== "received") return undefined;
    await tx
      .insertInto("callStep")
      .values({ workspaceId, callId: id, step: "prepare", state: "running", attempts: 1, startedAt: sql`now()` })
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

/** Says on the call why it has to be tried again. */
async function noteReason(app: App, { workspaceId, id }: CallRef, error: unknown): Promise<void> {
  const { code: reasonCode, detail: reasonDetail } = reasonOf(error);
  await inWorkspace(app, workspaceId, (tx) =>
    tx
      .updateTable("callStep")
      .set({ reasonCode, reasonDetail, endedAt: sql`now()` })
      .where("workspaceId", "=", workspaceId)
      .where("callId", "=", id)
      .where("step", "=", "prepare")
      .where("state", "=", "running")
      .execute(),
  ).catch((err) => app.log.warn({ err, callId: id }, "the reason could not be noted"));
}

function reasonOf(error: unknown): { code: string; detail: string } {
  const noSpace = error instanceof Error && "code" in error && error.code === "ENOSPC";
  if (error instanceof ScratchFull || noSpace)
    return { code: "scratch_full", detail: "The worker's scratch folder is full." };
  if (error instanceof MachineBusy)
    return { code: "machine_busy", detail: "The worker's machine was too busy to decode it in time." };
  if (databaseUnavailable(error)) return { code: "database_unavailable", detail: "PostgreSQL could not answer." };
  return { code: "not_now", detail: "Something that should pass was in the way; the worker's log says what." };
}
