import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

// hb_<cell>_<43 base62 characters: 256 random bits><6 base62 characters: CRC32 of everything before>.
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const secretLength = 43;
const checksumLength = 6;
const form = /^hb_([a-z0-9]{1,16})_[0-9A-Za-z]{49}$/;

function base62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text;
  return text;
}

const checksum = (text: string) => base62(BigInt(crc32(text)), checksumLength);

export function newApiKey(cell: string): string {
  const secret = base62(BigInt(`0x${randomBytes(32).toString("hex")}`), secretLength);
  const unchecked = `hb_${cell}_${secret}`;
  return unchecked + checksum(unchecked);
}

/** Checks format, cell and checksum, so that malformed keys never reach the database. */
export function isApiKey(text: string, cell: string): boolean {
  if (form.exec(text)?.[1] !== cell) return false;
  return checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** The stored form of a key. With 256 random bits, a fast hash is enough. */
export const hashApiKey = (key: string) => hash("sha256", key, "buffer");
