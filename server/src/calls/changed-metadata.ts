import { type ChangeCallBody, type Metadata, metadataLimits } from "@hearback/contract";
import { AppError } from "../platform/errors.ts";

export type MetadataChange = NonNullable<ChangeCallBody["metadata"]>;

/** The metadata after a change: what is removed first, what is added at the end. Order and repeated keys are kept. */
export function changedMetadata(before: Metadata, { remove = [], add = [] }: MetadataChange): Metadata {
  const goes = (entry: Metadata[number]) =>
    remove.some(({ key, value }) => key === entry.key && (value === undefined || value === entry.value));
  const after = [...before.filter((entry) => !goes(entry)), ...add];
  if (after.length > metadataLimits.entries) {
    throw tooLarge(`at most ${metadataLimits.entries} entries`, `${after.length}`);
  }
  const bytes = Buffer.byteLength(JSON.stringify(after));
  if (bytes > metadataLimits.bytes) throw tooLarge(`at most ${metadataLimits.bytes} bytes as JSON`, `${bytes}`);
  return after;
}

function tooLarge(limit: string, would: string): AppError {
  const detail = `metadata must have ${limit}; with this change it would have ${would}. Remove some in the same request.`;
  return new AppError("fields_invalid", detail, { issues: [{ part: "metadata", code: "too_long", detail }] });
}

export const sameMetadata = (a: Metadata, b: Metadata): boolean =>
  a.length === b.length && a.every(({ key, value }, n) => key === b[n]?.key && value === b[n]?.value);
