import type { FastifyReply, FastifyRequest } from "fastify";
import { readCookie, writeCookie } from "./cookies.ts";

/** The session cookie. */
export interface SessionCookie {
  read(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, token: string, until: Date): void;
  clear(reply: FastifyReply): void;
}

/** With TLS, the name has the __Host- prefix, so browsers accept the cookie only from this exact host. */
export const openSessionCookie = (publicUrl: string): SessionCookie => openTokenCookie(publicUrl, "hearback");

/** The cookie of a sign-in that is waiting for its second step. */
export const openSecondStepCookie = (publicUrl: string): SessionCookie =>
  openTokenCookie(publicUrl, "hearback-second-step");

function openTokenCookie(publicUrl: string, plainName: string): SessionCookie {
  const secure = publicUrl.startsWith("https:");
  const name = secure ? `__Host-${plainName}` : plainName;
  const write = (reply: FastifyReply, value: string, seconds: number) =>
    reply.header("set-cookie", writeCookie(name, value, { seconds, secure })).header("cache-control", "no-store");
  return {
    read: ({ headers }) => readCookie(headers.cookie, name),
    set: (reply, token, until) => void write(reply, token, (until.getTime() - Date.now()) / 1000),
    clear: (reply) => void write(reply, "", 0),
  };
}
