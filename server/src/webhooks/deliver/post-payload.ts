import { lookup } from "node:dns/promises";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { AddressRules } from "../endpoint/address-rules.ts";
import { literalAddress } from "../endpoint/webhook-url.ts";
import { guardedLookup, type Resolve } from "./guarded-lookup.ts";

export interface PostResult {
  /** Null if there was no response. */
  readonly status: number | null;
  /** Why there was no response. Never contains text from the receiver or the URL. */
  readonly error: string | null;
  /** More precise reason for the operator's log: distinguishes a forbidden address from a name that does not resolve. */
  readonly cause: string | null;
  readonly retryAfter: string | undefined;
}

interface PostOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly rules: AddressRules;
  /** Resolver override for tests. */
  readonly resolve?: Resolve;
  readonly timeoutMs?: number;
}

const maxBodyBytes = 64 * 1024;
const resolveAll: Resolve = (name) => lookup(name, { all: true, verbatim: true });

/** Causes hidden from users: they would reveal which names exist in the private network. */
const addressErrors = /^(address_forbidden|enotfound|eai_\w+)$/;
const noResponse = (cause: string): PostResult => ({
  status: null,
  error: addressErrors.test(cause) ? "address_unreachable" : cause,
  cause,
  retryAfter: undefined,
});

/**
 * Sends a POST request on a new connection to an address that the rules allow. Follows no redirects, uses no proxy and never
 * throws: failures are part of the result.
 */
export async function postPayload(text: string, posting: PostOptions): Promise<PostResult> {
  const { headers, body, rules, resolve = resolveAll, timeoutMs = 15_000 } = posting;
  if (!URL.canParse(text)) return noResponse("url_malformed");
  const url = new URL(text);
  if (url.username || url.password) return noResponse("url_malformed");
  if (url.protocol !== "https:" && url.protocol !== "http:") return noResponse("url_malformed");
  const address = literalAddress(url);
  if (address !== undefined && !rules.allows(address, url.protocol)) return noResponse("address_forbidden");

  const { request: open, Agent } = url.protocol === "https:" ? https : http;
  const signal = AbortSignal.timeout(timeoutMs);
  const { promise, resolve: settle } = Promise.withResolvers<PostResult>();
  const request = open(url, {
    method: "POST",
    // A new connection per request, so that no state is shared between receivers.
    agent: new Agent({ keepAlive: false }),
    lookup: guardedLookup(resolve, rules, url.protocol),
    headers: { ...headers, "content-length": Buffer.byteLength(body) },
    maxHeaderSize: 16 * 1024,
    signal,
  });
  let responded = false;
  request.on("response", (response) => {
    responded = true;
    void readResponse(response).then(settle);
  });
  request.on("error", (error) => {
    if (!responded) settle(noResponse(signal.aborted ? "timeout" : errorName(error)));
  });
  // A connection can close without a response or an error, for example on a protocol upgrade.
  request.on("close", () => {
    if (!responded) settle(noResponse("connection_failed"));
  });
  request.end(body);
  return promise.finally(() => request.destroy());
}

/** Only the status and headers count. Reads and discards a limited part of the body. */
async function readResponse(response: IncomingMessage): Promise<PostResult> {
  let bytes = 0;
  try {
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length;
      if (bytes > maxBodyBytes) break;
    }
  } catch {
    // The body was cut off or too slow; the status still counts.
  }
  return { status: response.statusCode ?? 0, error: null, cause: null, retryAfter: response.headers["retry-after"] };
}

function errorName(error: Error & { code?: unknown; errors?: unknown }): string {
  // All addresses of a name failed: report the first error.
  const [first] = Array.isArray(error.errors) ? (error.errors as { code?: unknown }[]) : [];
  const code = String(first?.code ?? error.code ?? "");
  return /^\w{1,64}$/.test(code) ? code.toLowerCase() : "connection_failed";
}
