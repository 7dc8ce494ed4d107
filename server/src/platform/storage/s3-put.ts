import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { type Credentials, signRequest } from "./sign-request.ts";

export interface PutTarget {
  /** The bucket's own address: requests are made of it and a key. */
  readonly bucketUrl: string;
  readonly region: string;
  readonly credentials: () => Promise<Credentials>;
}

export interface PutClient {
  /** Sends the chunks as one object (or one part of an upload, named by `query`) and gives its ETag. */
  put(key: string, chunks: readonly Uint8Array[], bytes: number, query?: string): Promise<string>;
  close(): void;
}

class PutRefused extends Error {
  override name = "PutRefused";
  readonly status: number;
  constructor(status: number, body: string) {
    super(`the object store answered ${status}: ${body.slice(0, 300)}`);
    this.status = status;
  }
}

const silenceMs = 10_000;
const pausesMs = [50, 250, 1000];
/** No attempt begins later than this: the client is to have an answer within half a minute. */
const patienceMs = 15_000;

const worthRepeating = (error: unknown) =>
  !(error instanceof PutRefused) || error.status >= 500 || error.status === 429;

/**
 * PUTs over node:http. The SDK's own client hashes the payload once or twice more and wraps it in several streams,
 * which together cost as much as the rest of an import; undici wants one buffer, whose making costs more than it saves.
 * Repeating a PUT is harmless: a key is written with one content only.
 */
export function openPutClient(target: PutTarget): PutClient {
  const bucket = new URL(target.bucketUrl);
  const secure = bucket.protocol === "https:";
  const agent = new (secure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 256, scheduling: "lifo" });
  const request = secure ? httpsRequest : httpRequest;
  const basePath = bucket.pathname.replace(/\/$/, "");

  async function putOnce(key: string, chunks: readonly Uint8Array[], bytes: number, query: string): Promise<string> {
    const path = `${basePath}/${key}`;
    const signed = signRequest(
      { method: "PUT", host: bucket.host, path, query },
      await target.credentials(),
      target.region,
    );
    return new Promise((resolve, reject) => {
      const outgoing = request({
        agent,
        method: "PUT",
        hostname: bucket.hostname,
        port: bucket.port,
        path: query ? `${path}?${query}` : path,
        headers: { ...signed, "content-length": bytes },
        timeout: silenceMs,
      });
      outgoing.on("timeout", () => outgoing.destroy(new Error(`the object store was silent for ${silenceMs} ms`)));
      outgoing.on("error", reject);
      outgoing.on("response", (answer) => {
        let body = "";
        answer.setEncoding("utf8").on("data", (text: string) => {
          if (body.length < 1000) body += text;
        });
        answer.on("error", reject);
        answer.on("end", () => {
          if (answer.statusCode === 200) resolve(answer.headers.etag ?? "");
          else reject(new PutRefused(answer.statusCode ?? 0, body));
        });
      });
      // Corked: all chunks leave in one system call instead of one each.
      outgoing.cork();
      for (const chunk of chunks) outgoing.write(chunk);
      outgoing.end();
      outgoing.uncork();
    });
  }

  return {
    async put(key, chunks, bytes, query = "") {
      const began = Date.now();
      for (const pause of pausesMs) {
        try {
          return await putOnce(key, chunks, bytes, query);
        } catch (error) {
          if (!worthRepeating(error) || Date.now() - began > patienceMs) throw error;
          await sleep(pause * (0.5 + Math.random()));
        }
      }
      return putOnce(key, chunks, bytes, query);
    },
    close: () => agent.destroy(),
  };
}
