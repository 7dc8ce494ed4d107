import type { Masking } from "@hearback/contract";
import type { Given } from "../platform/changed-fields.ts";
import { fieldInvalid } from "../platform/errors.ts";
import type { Campaign } from "./campaign-body.ts";

/** Transcription and masking of a campaign. Like retention, only administrators change them. */
export type TranscriptionChoice = Given<
  Pick<Campaign, "transcriptionLanguage" | "eraseMaskedOriginals"> & { readonly masking: Masking }
>;

/** Wire names, which the audit log uses, too. */
export const transcriptionNames = {
  transcriptionLanguage: "transcription_language",
  masking: "masking",
  eraseMaskedOriginals: "erase_masked_originals",
} as const;

/** The new values for the audit log, which shows who turned masking off. */
export const transcriptionAudit = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(transcriptionNames).flatMap(([name, wireName]) =>
      values[name] === undefined ? [] : [[wireName, values[name]]],
    ),
  );

/** Throws if originals shall be erased but no sound is masked: it would have no effect until masking changes. */
export function requirePossibleMasking(
  before: Pick<Campaign, "masking" | "eraseMaskedOriginals">,
  { masking = before.masking as Masking, eraseMaskedOriginals = before.eraseMaskedOriginals }: TranscriptionChoice,
): void {
  if (!eraseMaskedOriginals || masking === "text_and_sound") return;
  const detail =
    "erase_masked_originals must be false unless masking is text_and_sound: originals are erased once the sound is masked.";
  throw fieldInvalid("erase_masked_originals", "not_allowed", detail);
}
