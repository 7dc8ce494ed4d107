import type { FastifyReply, FastifyRequest } from "fastify";
import { readCookie, writeCookie } from "./cookies.ts";

/** The cookie that says who is signed in. */
export interface SessionCookie {
  read(request: FastifyRequest): string | undefined;
  give(reply: FastifyReply, token: string, until: Date): void;
  take(reply: FastifyReply): void;
}

/** With TLS its name makes browsers refuse it from anybody but this very host. */
export function openSessionCookie(publicUrl: string): SessionCookie {
  const secure = publicUrl.startsWith("https:");
  const name = secure ? "__Host-hearback" : "hearback";
  const set = (reply: FastifyReply, value: string, seconds: number) =>
    reply.header("set-cookie", writeCookie(name, value, { seconds, secure })).header("cache-control", "no-store");
  return {
    read: ({ headers }) => readCookie(headers.cookie, name),
    give: (reply, token, until) => void set(reply, token, (until.getTime() - Date.now()) / 1000),
    take: (reply) => void set(reply, "", 0),
  };
}
