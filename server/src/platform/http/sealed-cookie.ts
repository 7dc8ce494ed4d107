import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { readCookie, writeCookie } from "./cookies.ts";

/** Something that a browser carries for us for a while and can neither read nor change. */
export interface SealedCookie {
  read(request: FastifyRequest): string | undefined;
  give(reply: FastifyReply, content: string): void;
  take(reply: FastifyReply): void;
}

interface Sealing {
  readonly name: string;
  /** What the key is made of; the same for every process. */
  readonly secret: string;
  readonly seconds: number;
  readonly secure: boolean;
}

const ivBytes = 12;
const tagBytes = 16;
const timeBytes = 8;

/** AES-256-GCM with a key of its own. When it ends is part of what is sealed: a browser may keep it longer. */
export function openSealedCookie({ name, secret, seconds, secure }: Sealing): SealedCookie {
  const fullName = secure ? `__Host-${name}` : name;
  const key = Buffer.from(hkdfSync("sha256", secret, "", `hearback cookie ${name}`, 32));
  const set = (reply: FastifyReply, value: string, forSeconds: number) =>
    reply.header("set-cookie", writeCookie(fullName, value, { seconds: forSeconds, secure }));

  function seal(content: string): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv("aes-256-gcm", key, iv);
    const until = Buffer.alloc(timeBytes);
    until.writeDoubleBE(Date.now() + seconds * 1000);
    const sealed = Buffer.concat([cipher.update(Buffer.concat([until, Buffer.from(content)])), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
  }

  function unseal(value: string): string | undefined {
    const bytes = Buffer.from(value, "base64url");
    if (bytes.length < ivBytes + tagBytes + timeBytes) return undefined;
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, ivBytes));
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    const opened = decipher.update(bytes.subarray(ivBytes + tagBytes));
    try {
      decipher.final();
    } catch {
      return undefined;
    }
    return opened.readDoubleBE() > Date.now() ? opened.subarray(timeBytes).toString() : undefined;
  }

  return {
    read({ headers }) {
      const value = readCookie(headers.cookie, fullName);
      return value === undefined ? undefined : unseal(value);
    },
    give: (reply, content) => void set(reply, seal(content), seconds),
    take: (reply) => void set(reply, "", 0),
  };
}
