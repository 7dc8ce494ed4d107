import { hash, randomBytes } from "node:crypto";
import { toBase32 } from "./totp.ts";

export const recoveryCodeCount = 10;
const codeBytes = 10;

/** 80 random bits in base32, such as K7QM-2XVD-6HTB-4FWN. */
export function newRecoveryCode(): string {
  const letters = toBase32(randomBytes(codeBytes));
  return letters.match(/.{4}/g)?.join("-") ?? letters;
}

/** The stored form, salted with the user id. With 80 random bits, a fast hash is enough. */
export const hashRecoveryCode = (userId: string, typed: string): Buffer =>
  hash("sha256", `${userId}\0${typed.toUpperCase().replace(/[^A-Z0-9]/g, "")}`, "buffer");
