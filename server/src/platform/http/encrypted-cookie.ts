import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { readCookie, writeCookie } from "./cookies.ts";

/** A short-lived cookie that the browser can neither read nor modify. */
export interface EncryptedCookie {
  read(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, content: string): void;
  clear(reply: FastifyReply): void;
}

interface EncryptedCookieOptions {
  readonly name: string;
  /** Key material. Must be the same for all processes. */
  readonly secret: string;
  readonly seconds: number;
  readonly secure: boolean;
}

const ivBytes = 12;
const tagBytes = 16;
const timeBytes = 8;

/**
 * AES-256-GCM with a key derived for this cookie. The expiry is inside the ciphertext, because a browser may keep the
 * cookie longer.
 */
export function openEncryptedCookie({ name, secret, seconds, secure }: EncryptedCookieOptions): EncryptedCookie {
  const fullName = secure ? `__Host-${name}` : name;
  const key = Buffer.from(hkdfSync("sha256", secret, "", `hearback cookie ${name}`, 32));
  const write = (reply: FastifyReply, value: string, forSeconds: number) =>
    reply.header("set-cookie", writeCookie(fullName, value, { seconds: forSeconds, secure }));

  function encrypt(content: string): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv("aes-256-gcm", key, iv);
    const expiresAt = Buffer.alloc(timeBytes);
    expiresAt.writeDoubleBE(Date.now() + seconds * 1000);
    const ciphertext = Buffer.concat([cipher.update(Buffer.concat([expiresAt, Buffer.from(content)])), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString("base64url");
  }

  function decrypt(value: string): string | undefined {
    const bytes = Buffer.from(value, "base64url");
    if (bytes.length < ivBytes + tagBytes + timeBytes) return undefined;
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, ivBytes));
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    const plain = decipher.update(bytes.subarray(ivBytes + tagBytes));
    try {
      decipher.final();
    } catch {
      return undefined;
    }
    return plain.readDoubleBE() > Date.now() ? plain.subarray(timeBytes).toString() : undefined;
  }

  return {
    read({ headers }) {
      const value = readCookie(headers.cookie, fullName);
      return value === undefined ? undefined : decrypt(value);
    },
    set: (reply, content) => void write(reply, encrypt(content), seconds),
    clear: (reply) => void write(reply, "", 0),
  };
}
