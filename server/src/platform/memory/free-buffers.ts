import { collectGarbage } from "./collect-garbage.ts";

/** Collect garbage after this many received bytes. */
const intervalBytes = 16 * 1024 * 1024;

let received = 0;

/**
 * Collects the young generation after every 16 MiB of request bodies. Their buffers are outside the heap but count as
 * external memory; without this, V8 runs a full collection every few uploads, which costs as much as the rest of an
 * import.
 */
export function freeBuffers(bytes: number): void {
  received += bytes;
  if (received < intervalBytes) return;
  received = 0;
  collectGarbage({ type: "minor" });
}
