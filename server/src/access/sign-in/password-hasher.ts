import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { openSemaphore } from "../../platform/async/semaphore.ts";
import { signInBusy } from "../errors.ts";

const derive = promisify(argon2);

/** Argon2id parameters for new hashes: 19 MiB, two passes. Each hash stores its own parameters, so these can be raised. */
const currentCost = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const saltBytes = 16;
const tagLength = 32;
const phcFormat =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{16,86})\$([A-Za-z0-9+/]{16,86})$/;

/** Each hash takes 19 MiB and a thread. */
const limits = { concurrent: 2, queued: 40 } as const;

/** Hashes and verifies passwords. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Takes equally long without a stored hash, so that timing does not reveal accounts. */
  verify(password: string, stored: string | null): Promise<boolean>;
}

export function openPasswordHasher(): PasswordHasher {
  const limit = openSemaphore({ ...limits, whenFull: signInBusy });
  const deriveTag = (password: string, nonce: Buffer, cost: Cost) =>
    limit(() => derive("argon2id", { message: password.normalize("NFC"), nonce, tagLength, ...cost }));
  return {
    async hash(password) {
      const salt = randomBytes(saltBytes);
      const { memory, passes, parallelism } = currentCost;
      const tag = await deriveTag(password, salt, currentCost);
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpaddedBase64(salt)}$${unpaddedBase64(tag)}`;
    },
    async verify(password, stored) {
      const parsed = stored === null ? undefined : parse(stored);
      const tag = await deriveTag(password, parsed?.salt ?? randomBytes(saltBytes), parsed?.cost ?? currentCost);
      return parsed !== undefined && parsed.tag.length === tag.length && timingSafeEqual(parsed.tag, tag);
    },
  };
}

interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

const unpaddedBase64 = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");

function parse(stored: string): { cost: Cost; salt: Buffer; tag: Buffer } | undefined {
  const [, memory, passes, parallelism, salt, tag] = phcFormat.exec(stored) ?? [];
  if (!salt || !tag) return undefined;
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  return { cost, salt: Buffer.from(salt, "base64"), tag: Buffer.from(tag, "base64") };
}
