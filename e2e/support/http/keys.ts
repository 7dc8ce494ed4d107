import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function base62(number: bigint, length: number): string {
  let text = "";
  for (let rest = number; rest > 0n; rest /= 62n) text = `${alphabet[Number(rest % 62n)]}${text}`;
  return text.padStart(length, "0");
}

/** The last six characters of a key: the CRC32 of the rest. */
export const keyChecksum = (before: string): string => base62(BigInt(crc32(before)), 6);

/** A well-formed key with a valid checksum that does not exist. */
export function makeUnknownKey(cell = "c0"): string {
  const before = `hb_${cell}_${base62(BigInt(`0x${randomBytes(32).toString("hex")}`), 43)}`;
  return before + keyChecksum(before);
}

/** Generates well-formed keys quickly: only the end of the secret changes. */
export function keyGenerator(key: string): () => string {
  const beginning = key.slice(0, -14);
  let count = 0n;
  return () => {
    const before = beginning + base62(count++, 8);
    return before + keyChecksum(before);
  };
}
