import { z } from "zod";
import type { Turns } from "../../calls/call/measured-audio.ts";
import { readTurns } from "../../calls/playback/open-audio.ts";
import { type CallRef, type StepReason, saveRetryReason } from "../../calls/prepare/call-step.ts";
import { isPermanentFault, reasonOf } from "../../calls/prepare/prepare-step.ts";
import { RecordingFault } from "../../calls/prepare/recording-fault.ts";
import { transcriptionJob } from "../../calls/prepare/transcription-job.ts";
import type { App } from "../../platform/app.ts";
import type { RecordingFormat } from "../../platform/media/containers/recognition-result.ts";
import { MediaError } from "../../platform/media/ffmpeg/media-error.ts";
import { defineJob } from "../../platform/queue/queue.ts";
import { EngineError } from "../engine/engine.ts";
import { engineOf, type GuardedEngine } from "../engine/open-engine.ts";
import { maskWords } from "../masking/mask-words.ts";
import { MaskingTimeout } from "../masking/masking-slices.ts";
import { mutedParts } from "../masking/muted-parts.ts";
import { RunEnded } from "../steps/transcription-run.ts";
import {
  failTranscription,
  queueAfterPause,
  type StartedTranscription,
  shouldAbandon,
  startTranscription,
  type TranscriptionFailure,
  type WantedTranscription,
  waitForEngine,
} from "../steps/transcription-step.ts";
import { findMuted, makeMutedCopy } from "../store/muted-copy.ts";
import { storeTranscript } from "../store/store-transcript.ts";
import type { SideWord } from "../transcript.ts";
import { closeSides, openSides } from "./decode-sides.ts";
import { recogniseCall } from "./recognise-call.ts";

const payload = z.object({ workspaceId: z.uuid(), callId: z.uuid() });

/** Marks a transcription as failed after its last retry, also if the job crashed its worker every time. */
export const abandonTranscription = defineJob({
  name: "call.transcribe_abandon",
  payload,
  async run(app, { workspaceId, callId }) {
    const ref = { workspaceId, id: callId };
    if (!(await shouldAbandon(app, ref))) return;
    const detail =
      "Transcription failed repeatedly with errors that are usually temporary. Check the worker's log for the cause, then request it again.";
    await failTranscription(app, ref, { code: "transcription_abandoned", detail });
  },
});

/** Longer than any call takes: after it, another worker continues where this one is. */
const expireInSeconds = 12 * 3600;

export const transcribeCall = defineJob({
  name: transcriptionJob.name,
  busy: true,
  options: { expireInSeconds },
  concurrency: ({ config }) => config.transcriber?.concurrency ?? 1,
  givenUpBy: abandonTranscription,
  payload,
  async run(app, { workspaceId, callId }, signal) {
    const ref = { workspaceId, id: callId };
    const guarded = engineOf(app);
    if (guarded && !(await guarded.circuit.wait(signal))) return queueAfterPause(app, ref);
    const started = await startTranscription(app, ref);
    if (!started) return;
    try {
      if (!guarded) return await failTranscription(app, ref, notConfigured);
      await transcribe(app, ref, started, { guarded, signal });
    } catch (error) {
      await handleFailure(app, ref, started, error);
    }
  },
});

const notConfigured: TranscriptionFailure = {
  code: "engine_not_configured",
  detail:
    "No transcription engine is configured. The operator sets TRANSCRIBER_URL or TRANSCRIBER_MODEL_DIR for all workers.",
};

interface TranscribeOptions {
  readonly guarded: GuardedEngine;
  readonly signal?: AbortSignal | undefined;
}

async function transcribe(
  app: App,
  ref: CallRef,
  started: StartedTranscription,
  { guarded, signal }: TranscribeOptions,
): Promise<void> {
  const { call, wanted } = started;
  const { language } = wanted;
  if (call.originalErasedAt) return failTranscription(app, ref, originalErased);
  const turns = await readTurns(app, call);
  const recording = { ...call, format: call.format as RecordingFormat };
  const scratch = await app.scratch();
  const heard = await scratch.withFolder(async (folder) => {
    const sides = await openSides(app, recording, { turns, folder, signal });
    try {
      return await recogniseCall(app, ref, guarded, { sides, language, signal });
    } finally {
      await closeSides(sides);
    }
  });
  const masked = await mask(heard, turns, wanted);
  const isSame = JSON.stringify(masked.muted) === JSON.stringify(await findMuted(app, ref));
  const copy = isSame ? undefined : await makeMutedCopy(app, ref, recording, { ...masked, signal });
  const { name: engine, model } = guarded.engine;
  const transcript = { language, engine, model, ...masked };
  await storeTranscript(app, ref, transcript, { call, copy, wanted });
}

const originalErased: TranscriptionFailure = {
  code: "recording_missing",
  detail: "The original recording was erased after its sound was masked, so the call cannot be transcribed again.",
};

async function mask(heard: readonly SideWord[], turns: Turns, { masking, maskOptions }: WantedTranscription) {
  if (masking === "off") return { words: heard, parts: [], muted: [] };
  const { words, parts } = await maskWords(heard, maskOptions);
  return { words, parts, muted: masking === "text_and_sound" ? mutedParts(heard, parts, turns) : [] };
}

/** An answer that is no transcription is asked for so often. */
const mostInvalidAnswers = 4;

/** Ends the step, lets the call wait for the engine, or throws the error so that the queue retries the job. */
async function handleFailure(app: App, ref: CallRef, started: StartedTranscription, error: unknown): Promise<void> {
  if (error instanceof RunEnded) return;
  if (error instanceof RecordingFault) app.metrics.recordingFaults.inc({ code: error.code });
  const failure = permanentFailure(app, started, error);
  if (failure) {
    app.log.warn({ callId: ref.id, workspaceId: ref.workspaceId, code: failure.code }, "transcription failed");
    return failTranscription(app, ref, failure);
  }
  if (error instanceof EngineError) return waitForEngine(app, ref, reasonOfEngine(error), started.attempts);
  if (!(await saveRetryReason(app, ref, "transcribe", reasonOf(error)))) return;
  throw error;
}

const reasonOfEngine = ({ code, message: detail }: EngineError): StepReason => ({ code, detail });

function permanentFailure(
  app: App,
  { lastReason, attempts }: StartedTranscription,
  error: unknown,
): TranscriptionFailure | undefined {
  if (isPermanentFault(app, lastReason, error)) return { code: error.code, detail: error.message };
  if (error instanceof MaskingTimeout) return { code: "masking_timeout", detail: error.message };
  // The call was prepared from the same recording: its object is damaged in a way that its checksum does not show.
  if (error instanceof MediaError) return { code: "recording_corrupt", detail: error.message };
  if (!(error instanceof EngineError)) return undefined;
  const { code, message: detail, concernsAll } = error;
  const isRepeated = lastReason.code === code;
  const retryMs = app.config.transcriber?.retryMs ?? 0;
  const isPermanent = concernsAll
    ? retryMs === 0 || (isRepeated && lastReason.forMs >= retryMs)
    : code !== "engine_answer_invalid" || (isRepeated && attempts >= mostInvalidAnswers);
  return isPermanent ? { code, detail } : undefined;
}
