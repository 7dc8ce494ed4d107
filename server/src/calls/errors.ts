import { errorCodes } from "@hearback/contract";
import { defineError } from "../platform/errors.ts";

export const callNotFound = defineError("call_not_found");
export const callNotReady = defineError("call_not_ready");
export const callFailed = defineError(
  "call_failed",
  (failureDetail: string | null) => `Preparation of the call failed: ${failureDetail}`,
  "The file looks like WAV, but no audio can be decoded from it. Export it again from the phone system and import the new file.",
);
export const callReady = defineError("call_ready");
export const noteNotFound = defineError("note_not_found");
export const notYourNote = defineError("not_your_note");
export const noteLimitReached = defineError("note_limit_reached");
export const audioLost = defineError("audio_lost");
export const originalForbidden = defineError("original_forbidden");
export const originalErased = defineError("original_erased");

const refusal = (code: "recording_empty" | "recording_not_audio" | "recording_truncated") =>
  defineError(code, (detail: string) => detail, errorCodes[code].detail);
/** Errors for files that are not a complete recording. */
export const recordingErrors = {
  recording_empty: refusal("recording_empty"),
  recording_not_audio: refusal("recording_not_audio"),
  recording_truncated: refusal("recording_truncated"),
};
