import { Worker } from "node:worker_threads";
import type { StaticBody } from "../body/static-body.ts";

/** The pages of the API reference. */
interface ReferencePages {
  readonly page: StaticBody;
  readonly script: StaticBody;
}

/** Builds the pages in a worker thread, because loading the library takes 150 ms of CPU time and a lot of memory. */
export function buildReferencePages(): Promise<ReferencePages> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./reference-worker.ts", import.meta.url));
    worker
      .once("error", reject)
      .once("exit", (code) => reject(new Error(`the reference worker exited with code ${code}`)));
    // Under node --watch, workers also report their imports as messages.
    worker.on("message", (message: ReferencePages | { readonly page?: undefined }) => {
      if (message.page) resolve({ page: revive(message.page), script: revive(message.script) });
    });
  });
}

/** A buffer arrives from another thread as a plain Uint8Array. */
function revive({ type, etag, body, encoded }: StaticBody): StaticBody {
  const buffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pairs = Object.entries(encoded).map(([encoding, bytes]) => [encoding, buffer(bytes)]);
  return { type, etag, body: buffer(body), encoded: Object.fromEntries(pairs) };
}
