import { errorCodes } from "@hearback/contract";
import { defineError } from "../platform/errors.ts";

export const transcriptNotFound = defineError(
  "transcript_not_found",
  (why: string) => `The call has no transcript: ${why}`,
  "transcription is off in its campaign.",
);
export const transcriptChanged = defineError("transcript_changed");
export const correctionLimitReached = defineError("correction_limit_reached");
export const transcriptionOff = defineError(
  "transcription_off",
  (detail: string) => detail,
  errorCodes.transcription_off.detail,
);
