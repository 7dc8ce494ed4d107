import { hkdfSync } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { decryptAesGcm, encryptAesGcm } from "../aes-gcm.ts";
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
    const expiresAt = Buffer.alloc(timeBytes);
    expiresAt.writeDoubleBE(Date.now() + seconds * 1000);
    return encryptAesGcm(key, Buffer.concat([expiresAt, Buffer.from(content)])).toString("base64url");
  }

  function decrypt(value: string): string | undefined {
    const plain = decryptAesGcm(key, Buffer.from(value, "base64url"));
    return plain && plain.readDoubleBE() > Date.now() ? plain.subarray(timeBytes).toString() : undefined;
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
