import { lookup } from "node:dns/promises";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { AddressRules } from "./address-rules.ts";
import { literalAddress } from "./endpoint-url.ts";
import { guardedLookup, type Resolve } from "./guarded-lookup.ts";

export interface Answer {
  /** Null: there was none. */
  readonly status: number | null;
  /** Why there was none. Never words of the receiver's, never the URL. */
  readonly error: string | null;
  readonly retryAfter: string | undefined;
}

interface Posting {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly rules: AddressRules;
  /** Another way to resolve names, for tests. */
  readonly resolve?: Resolve;
  readonly timeoutMs?: number;
}

const answerBytes = 64 * 1024;
const resolveAll: Resolve = (name) => lookup(name, { all: true, verbatim: true });
const noAnswer = (error: string): Answer => ({ status: null, error, retryAfter: undefined });

/**
 * Sends a body to a URL, on a connection of its own, to an address that the rules allow. Follows nothing, asks no proxy,
 * and throws nothing: whatever happens is an answer.
 */
export async function postPayload(text: string, posting: Posting): Promise<Answer> {
  const { headers, body, rules, resolve = resolveAll, timeoutMs = 15_000 } = posting;
  if (!URL.canParse(text)) return noAnswer("url_malformed");
  const url = new URL(text);
  if (url.username || url.password) return noAnswer("url_malformed");
  if (url.protocol !== "https:" && url.protocol !== "http:") return noAnswer("url_malformed");
  const address = literalAddress(url);
  if (address !== undefined && !rules.allows(address, url.protocol)) return noAnswer("address_forbidden");

  const { request: open, Agent } = url.protocol === "https:" ? https : http;
  const signal = AbortSignal.timeout(timeoutMs);
  const { promise, resolve: settle } = Promise.withResolvers<Answer>();
  const request = open(url, {
    method: "POST",
    // One request, one connection: nothing of one receiver's is left for another.
    agent: new Agent({ keepAlive: false }),
    lookup: guardedLookup(resolve, rules, url.protocol),
    headers: { ...headers, "content-length": Buffer.byteLength(body) },
    maxHeaderSize: 16 * 1024,
    signal,
  });
  let answered = false;
  request.on("response", (response) => {
    answered = true;
    void readAnswer(response).then(settle);
  });
  request.on("error", (error) => {
    if (!answered) settle(noAnswer(signal.aborted ? "timeout" : errorName(error)));
  });
  // A connection can end without a word, as when the receiver asks to speak another protocol.
  request.on("close", () => {
    if (!answered) settle(noAnswer("connection_failed"));
  });
  request.end(body);
  return promise.finally(() => request.destroy());
}

/** What an answer says in its head is what counts. The rest is read so far as to be polite. */
async function readAnswer(response: IncomingMessage): Promise<Answer> {
  let bytes = 0;
  try {
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length;
      if (bytes > answerBytes) break;
    }
  } catch {
    // Cut short, or too slow: it has been taken nevertheless.
  }
  return { status: response.statusCode ?? 0, error: null, retryAfter: response.headers["retry-after"] };
}

function errorName(error: Error & { code?: unknown; errors?: unknown }): string {
  // Every address of a name was tried in vain: the first says why.
  const [first] = Array.isArray(error.errors) ? (error.errors as { code?: unknown }[]) : [];
  const code = String(first?.code ?? error.code ?? "");
  return /^\w{1,64}$/.test(code) ? code.toLowerCase() : "connection_failed";
}
