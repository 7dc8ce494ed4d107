import { collectGarbage } from "./collect-garbage.ts";

/** How many bytes may come between two collections. */
const everyBytes = 16 * 1024 * 1024;

let received = 0;

/**
 * Frees the buffers of bodies while they are young. A body arrives in buffers outside of the heap, of which V8 sees little
 * but their weight: it would stop for a full collection every few uploads, which costs as much as the rest of an import.
 */
export function freeBuffers(bytes: number): void {
  received += bytes;
  if (received < everyBytes) return;
  received = 0;
  collectGarbage({ type: "minor" });
}
