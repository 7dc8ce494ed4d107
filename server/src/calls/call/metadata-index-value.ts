import { createHash } from "node:crypto";

/** A B-tree index row holds about 2,700 bytes; a metadata value may have 4,096. */
const indexedCharacters = 256;

/** The indexed form of a metadata value: the value itself or, if it is too long for an index row, a prefix and a digest. */
export function metadataIndexValue(value: string): string {
  if (value.length <= indexedCharacters) return value;
  const digest = createHash("sha256").update(value).digest("hex");
  // Repairs a surrogate pair that the slice cuts in two.
  return `${value.slice(0, indexedCharacters - digest.length - 1).toWellFormed()}…${digest}`;
}
