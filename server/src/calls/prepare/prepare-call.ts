import { z } from "zod";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { MediaError } from "../../platform/media/ffmpeg/media-error.ts";
import { defineJob } from "../../platform/queue/queue.ts";
import { mergeOccasionally } from "../call/merge-import-deltas.ts";
import { analyseRecording } from "./analyse-recording.ts";
import { type CallRef, saveRetryReason } from "./call-step.ts";
import { isPermanentFault, reasonOf, type StartedStep, startStep } from "./prepare-step.ts";
import { RecordingFault } from "./recording-fault.ts";
import { markFailed, markReady } from "./settle-call.ts";
import { discardPrepared, storePrepared } from "./store-prepared.ts";

const payload = z.object({ workspaceId: z.uuid(), callId: z.uuid() });

/** Marks a call as failed after its last retry, also if the job crashed its worker every time. */
export const abandonCall = defineJob({
  name: "call.abandon",
  payload,
  async run(app, { workspaceId, callId }) {
    const tried = await inWorkspace(app, workspaceId, (tx) =>
      tx
        .selectFrom("callStep")
        .select("attempts")
        .where("workspaceId", "=", workspaceId)
        .where("callId", "=", callId)
        .where("step", "=", "prepare")
        .where("attempts", ">", 0)
        .executeTakeFirst(),
    );
    // Preparation was requested again meanwhile; the new job takes over.
    if (!tried) return;
    const detail =
      "Preparation failed repeatedly with errors that are usually temporary. Check the worker's log for the cause, then retry the preparation.";
    await markFailed(app, { workspaceId, id: callId }, { code: "preparation_abandoned", detail });
  },
});

/** The first job of every call: analyses the recording and creates the playback copy. */
export const prepareCall = defineJob({
  name: "call.prepare",
  busy: true,
  concurrency: (app) => app.config.media.concurrency,
  givenUpBy: abandonCall,
  payload,
  async run(app, { workspaceId, callId }, signal) {
    const call = { workspaceId, id: callId };
    const started = await startStep(app, call);
    if (!started) return;
    const { recording } = started;
    try {
      await prepare(app, call, started, signal);
      await mergeOccasionally(app, workspaceId);
    } catch (error) {
      if (error instanceof RecordingFault) app.metrics.recordingFaults.inc({ code: error.code });
      if (!(error instanceof MediaError || isPermanentFault(app, started.lastReason, error))) {
        const shouldRetry = await saveRetryReason(app, call, "prepare", reasonOf(error));
        if (!shouldRetry) return;
        throw error;
      }
      const { code, message: detail } = error;
      app.log.warn({ callId, workspaceId, code }, "recording rejected");
      await markFailed(app, call, { code, detail, recordingKey: recording.recordingKey });
    }
  },
});

async function prepare(app: App, call: CallRef, started: StartedStep, signal?: AbortSignal): Promise<void> {
  const { recording, muted } = started;
  const scratch = await app.scratch();
  await scratch.withFolder(async (folder) => {
    const analysed = await analyseRecording(app, recording, { folder, signal, muted });
    const objects = await storePrepared(app, call.workspaceId, analysed);
    const settled = await markReady(app, call, { started, analysed, objects });
    if (!settled) await discardPrepared(app, objects);
  });
}
