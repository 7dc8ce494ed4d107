import { z } from "zod";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { MediaError } from "../platform/media/media-error.ts";
import { defineJob } from "../platform/queue.ts";
import { learnAudio, type StoredRecording } from "./learn-audio.ts";
import { beginStep, type CallRef, noteReason } from "./prepare-step.ts";
import { makeFailed, makeReady } from "./settle-call.ts";
import { discardPrepared, storePrepared } from "./store-prepared.ts";

const payload = z.object({ workspaceId: z.uuid(), callId: z.uuid() });

/** Ends what was tried often enough in vain, or killed its worker each time: nobody is left waiting without a word. */
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
        .where("attempts", ">", 0)
        .executeTakeFirst(),
    );
    // Somebody has asked for it again meanwhile: that is for the new job to do.
    if (!tried) return;
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
  async run(app, { workspaceId, callId }, signal) {
    const call = { workspaceId, id: callId };
    const recording = await beginStep(app, call);
    if (!recording) return;
    try {
      await prepare(app, call, recording, signal);
    } catch (error) {
      if (!(error instanceof MediaError)) {
        const waits = await noteReason(app, call, error);
        if (!waits) return;
        throw error;
      }
      app.log.warn({ callId, workspaceId, code: error.code }, "recording refused");
      await makeFailed(app, call, error.code, error.message);
    }
  },
});

async function prepare(app: App, call: CallRef, recording: StoredRecording, signal?: AbortSignal): Promise<void> {
  const scratch = await app.scratch();
  await scratch.withFolder(async (folder) => {
    const learned = await learnAudio(app, recording, { folder, signal });
    const objects = await storePrepared(app, call.workspaceId, learned);
    const settled = await makeReady(app, call, learned, objects);
    if (!settled) await discardPrepared(app, objects);
  });
}
