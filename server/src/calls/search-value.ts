import { createHash } from "node:crypto";

/** An index row holds 2,700 bytes; a value may have 4,096. */
const indexedCharacters = 256;

/** What a metadata value is searched by: itself or, where it is too long for an index, its beginning and a digest. */
export function searchValue(value: string): string {
  if (value.length <= indexedCharacters) return value;
  const digest = createHash("sha256").update(value).digest("hex");
  // A pair of surrogates must not be cut in two.
  return `${value.slice(0, indexedCharacters - digest.length - 1).toWellFormed()}…${digest}`;
}
