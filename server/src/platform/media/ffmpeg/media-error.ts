import type { FailureCode } from "@hearback/contract";

/** The recording itself is the cause; retrying does not help. */
export class MediaError extends Error {
  override name = "MediaError";
  readonly code: FailureCode;

  constructor(code: FailureCode, detail: string) {
    super(detail);
    this.code = code;
  }
}

export const undecodable = (format: string) =>
  new MediaError(
    "recording_undecodable",
    `The file looks like ${format.toUpperCase()}, but no audio can be decoded from it. Export it again from the phone system and import the new file.`,
  );

/** The scratch disk is full. Retrying later may help. */
export class ScratchFull extends Error {
  override name = "ScratchFull";
}
