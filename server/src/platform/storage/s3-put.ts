import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { type Credentials, signRequest } from "./sign-request.ts";

export interface PutTarget {
  /** The bucket's own address: requests are made of it and a key. */
  readonly bucketUrl: string;
  readonly region: string;
  readonly credentials: () => Promise<Credentials>;
}

export interface PutClient {
  /** Sends the bytes as one object (or one part of an upload, named by `query`) and gives its ETag. */
  put(key: string, bytes: Uint8Array, query?: string): Promise<string>;
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
/** A store that takes less than this is as good as silent. */
const slowestBytesPerMs = 1000;
const pausesMs = [50, 250, 1000];
/** No attempt begins later than this: the client is to have an answer within half a minute. */
const patienceMs = 15_000;

const worthRepeating = (error: unknown) =>
  !(error instanceof PutRefused) || error.status >= 500 || error.status === 429;

/**
 * PUTs without the SDK, whose own client hashes the payload once or twice more and wraps it in several streams, which
 * together cost as much as the rest of an import. Repeating a PUT is harmless: a key is written with one content only.
 */
export function openPutClient(target: PutTarget): PutClient {
  const bucket = new URL(target.bucketUrl);
  const basePath = bucket.pathname.replace(/\/$/, "");
  const pool = new Pool(bucket.origin, {
    connections: 256,
    pipelining: 1,
    connectTimeout: 5_000,
    bodyTimeout: silenceMs,
  });

  async function putOnce(key: string, bytes: Uint8Array, query: string): Promise<string> {
    const path = `${basePath}/${key}`;
    const signing = { method: "PUT", host: bucket.host, path, query };
    const headers = signRequest(signing, await target.credentials(), target.region);
    const answer = await pool.request({
      method: "PUT",
      path: query ? `${path}?${query}` : path,
      headers,
      body: bytes,
      // It counts from the first byte sent, not from the last.
      headersTimeout: silenceMs + bytes.length / slowestBytesPerMs,
    });
    if (answer.statusCode !== 200) throw new PutRefused(answer.statusCode, await answer.body.text());
    await answer.body.dump();
    return String(answer.headers.etag ?? "");
  }

  return {
    async put(key, bytes, query = "") {
      const began = Date.now();
      for (const pause of pausesMs) {
        try {
          return await putOnce(key, bytes, query);
        } catch (error) {
          if (!worthRepeating(error) || Date.now() - began > patienceMs) throw error;
          await sleep(pause * (0.5 + Math.random()));
        }
      }
      return putOnce(key, bytes, query);
    },
    close: () => void pool.destroy(),
  };
}
