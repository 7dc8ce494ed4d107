import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { type Credentials, signRequest } from "./sign-request.ts";

export interface PutTarget {
  /** URL of the bucket, to which keys are appended. */
  readonly bucketUrl: string;
  readonly region: string;
  readonly credentials: () => Promise<Credentials>;
}

export interface PutContent {
  readonly chunks: readonly Uint8Array[];
  readonly bytes: number;
}

export interface PutClient {
  /**
   * Uploads the chunks as one object, or as one part of a multipart upload given by `query`. Returns the ETag. Retries
   * until the signal is aborted.
   */
  put(key: string, content: PutContent, signal: AbortSignal, query?: string): Promise<string>;
  close(): void;
}

class PutRefused extends Error {
  override name = "PutRefused";
  readonly status: number;
  constructor(status: number, body: string) {
    super(`the object store returned ${status}: ${body.slice(0, 300)}`);
    this.status = status;
  }
}

const idleTimeoutMs = 10_000;
const backoffsMs = [50, 250, 1000];

const isRetryable = (error: unknown) => !(error instanceof PutRefused) || error.status >= 500 || error.status === 429;

/**
 * Sends PUT requests with node:http. The AWS SDK hashes the payload again and wraps it in several streams, which costs
 * as much as the rest of an import; undici needs one contiguous buffer, and copying into it costs more than it saves.
 * PUT is idempotent here: a key is always written with the same content.
 */
export function openPutClient(target: PutTarget): PutClient {
  const bucket = new URL(target.bucketUrl);
  const secure = bucket.protocol === "https:";
  const agent = new (secure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 256, scheduling: "lifo" });
  const request = secure ? httpsRequest : httpRequest;
  const basePath = bucket.pathname.replace(/\/$/, "");

  async function putOnce(key: string, content: PutContent, signal: AbortSignal, query: string): Promise<string> {
    const path = `${basePath}/${key}`;
    const signed = signRequest(
      { method: "PUT", host: bucket.host, path, query },
      await target.credentials(),
      target.region,
    );
    const outgoing = request({
      agent,
      method: "PUT",
      hostname: bucket.hostname,
      port: bucket.port,
      path: query ? `${path}?${query}` : path,
      headers: { ...signed, "content-length": content.bytes },
      timeout: idleTimeoutMs,
      signal,
    });
    return send(outgoing, content.chunks);
  }

  return {
    async put(key, content, signal, query = "") {
      for (const backoffMs of backoffsMs) {
        try {
          return await putOnce(key, content, signal, query);
        } catch (error) {
          if (!isRetryable(error) || signal.aborted) throw error;
          await sleep(backoffMs * (0.5 + Math.random()));
        }
      }
      return putOnce(key, content, signal, query);
    },
    close: () => agent.destroy(),
  };
}

/** Sends the chunks and returns the ETag of the response. */
function send(outgoing: ClientRequest, chunks: readonly Uint8Array[]): Promise<string> {
  return new Promise((resolve, reject) => {
    outgoing.on("timeout", () =>
      outgoing.destroy(new Error(`no response from the object store for ${idleTimeoutMs} ms`)),
    );
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        if (body.length < 1000) body += text;
      });
      response.on("error", reject);
      response.on("end", () => {
        if (response.statusCode === 200) resolve(response.headers.etag ?? "");
        else reject(new PutRefused(response.statusCode ?? 0, body));
      });
    });
    // Cork, so that all chunks are written in one system call.
    outgoing.cork();
    for (const chunk of chunks) outgoing.write(chunk);
    outgoing.end();
    outgoing.uncork();
  });
}
