import type { FailureCode } from "@hearback/contract";

/** The recording itself is at fault: trying again would end the same way. */
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
    `It looks like ${format.toUpperCase()} and no sound can be decoded from it. Export it again from the telephone system and import that.`,
  );

/** The machine is at fault: it has no room, and may have later. */
export class ScratchFull extends Error {
  override name = "ScratchFull";
}
