import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** How many bytes may come between two collections. */
const everyBytes = 16 * 1024 * 1024;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (options: { type: "minor" }) => void;
let received = 0;

/**
 * Frees the buffers of bodies while they are young. A body arrives in buffers outside of the heap, of which V8 sees little
 * but their weight: it would stop for a full collection every few uploads, which costs as much as the rest of an import.
 */
export function freeBuffers(bytes: number): void {
  received += bytes;
  if (received < everyBytes) return;
  received = 0;
  collect({ type: "minor" });
}
