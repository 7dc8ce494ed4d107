import { createHash } from "node:crypto";

const modulus = 2n ** 256n;
const numberOf = (bytes: Buffer) => BigInt(`0x${bytes.toString("hex")}`);

/** Adds the SHA-256 of each id: the same for the same ids, in whatever order and however many at a time they come. */
export function addIds(digest: Buffer, ids: readonly string[]): Buffer {
  const sum = ids.reduce((total, id) => total + numberOf(createHash("sha256").update(id).digest()), numberOf(digest));
  return Buffer.from((sum % modulus).toString(16).padStart(64, "0"), "hex");
}
