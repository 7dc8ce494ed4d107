import type { FailureCode } from "@hearback/contract";

/** Failures that can be fixed by restoring the recording from a backup or importing it again. */
export const lostRecordingCodes = ["recording_missing", "recording_corrupt"] as const satisfies readonly FailureCode[];
type LostRecordingCode = (typeof lostRecordingCodes)[number];

export const isLostRecording = (code: string | null): boolean => lostRecordingCodes.some((lost) => lost === code);

const details: Record<LostRecordingCode, string> = {
  recording_missing:
    "The recording is missing from the object store. Import it again, or restore it from a backup and retry the preparation.",
  recording_corrupt:
    "The recording in the object store differs from the one imported, in length or SHA-256. Import it again, or restore it from a backup and retry the preparation.",
};

/** The object store returned no object or the wrong bytes. This may be temporary, so preparation is retried first. */
export class RecordingFault extends Error {
  override name = "RecordingFault";
  readonly code: LostRecordingCode;

  constructor(code: LostRecordingCode) {
    super(details[code]);
    this.code = code;
  }
}
