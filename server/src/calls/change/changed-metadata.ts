import { type ChangeCallBody, type Metadata, metadataLimits } from "@hearback/contract";
import { type AppError, fieldInvalid } from "../../platform/errors.ts";

export type MetadataChange = NonNullable<ChangeCallBody["metadata"]>;

/** Applies a change to metadata: removes entries first, then appends. Preserves order and repeated keys. */
export function changedMetadata(before: Metadata, { remove = [], add = [] }: MetadataChange): Metadata {
  const isRemoved = (entry: Metadata[number]) =>
    remove.some(({ key, value }) => key === entry.key && (value === undefined || value === entry.value));
  const after = [...before.filter((entry) => !isRemoved(entry)), ...add];
  if (after.length > metadataLimits.entries) {
    throw tooLarge(`at most ${metadataLimits.entries} entries`, `${after.length}`);
  }
  const bytes = Buffer.byteLength(JSON.stringify(after));
  if (bytes > metadataLimits.bytes) throw tooLarge(`at most ${metadataLimits.bytes} bytes as JSON`, `${bytes}`);
  return after;
}

function tooLarge(limit: string, actual: string): AppError {
  const detail = `metadata must have ${limit}; with this change it would have ${actual}. Remove some entries in the same request.`;
  return fieldInvalid("metadata", "too_long", detail);
}

export const sameMetadata = (a: Metadata, b: Metadata): boolean =>
  a.length === b.length && a.every(({ key, value }, n) => key === b[n]?.key && value === b[n]?.value);
