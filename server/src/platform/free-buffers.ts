import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const MiB = 1024 * 1024;
/** How many bytes of bodies may come between two collections. */
export const ofBodies = 16 * MiB;
/** And of recordings that a worker fetches: it has fewer under way, and more to gain from keeping them few. */
export const ofRecordings = 4 * MiB;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (options: { type: "minor" }) => void;
let received = 0;

/**
 * Frees the buffers of bodies while they are young. A body arrives in buffers outside of the heap, of which V8 sees little
 * but their weight: it would stop for a full collection every few uploads, which costs as much as the rest of an import.
 */
export function freeBuffers(bytes: number, everyBytes: number): void {
  received += bytes;
  if (received < everyBytes) return;
  received = 0;
  collect({ type: "minor" });
}
