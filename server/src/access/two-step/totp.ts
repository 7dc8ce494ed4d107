import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** RFC 6238 with the parameters that all authenticator apps support: SHA-1, 6 digits, 30 seconds. */
const stepSeconds = 30;
const digits = 6;
const secretBytes = 20;
/** Accepts the adjacent steps too, for clock skew and typing time. */
const window = [0, -1, 1];

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Base32 (RFC 4648) without padding. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

export const newTotpSecret = () => toBase32(randomBytes(secretBytes));

/** The TOTP code of a time step. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

export const totpStep = (at: Date) => Math.floor(at.getTime() / 1000 / stepSeconds);

/** The time step that the code belongs to, if it is in the window around `now` and later than `after`. */
export function matchingStep(secret: string, typed: string, now: Date, after: number | null): number | undefined {
  const code = typed.replace(/[\s-]/g, "");
  if (!/^\d{6}$/.test(code)) return undefined;
  const steps = window.map((offset) => totpStep(now) + offset).filter((step) => after === null || step > after);
  return steps.find((step) => timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code)));
}

/** The otpauth URI for the QR code. */
export function totpUri(secret: string, account: string): string {
  const query = new URLSearchParams({
    secret,
    issuer: "Hearback",
    digits: String(digits),
    period: String(stepSeconds),
  });
  return `otpauth://totp/${encodeURIComponent(`Hearback:${account}`)}?${query}`;
}
