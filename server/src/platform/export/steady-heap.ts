import { setFlagsFromString } from "node:v8";
import { freeBuffers } from "../free-buffers.ts";

/** How much garbage a character of an export leaves behind, generously: rows, their values, their lines. */
const garbage = 120;
let running = 0;

/**
 * Gives on what `make` makes, piece by piece, without letting the heap grow by it. V8 answers a long stream of short-lived
 * objects by making room for more of them, a hundred megabytes and more, which it keeps. So meanwhile it makes no more
 * room, and collects where nothing is held: between two pieces.
 */
export async function* withSteadyHeap(make: () => Promise<string | undefined>): AsyncGenerator<string> {
  if (running++ === 0) setFlagsFromString("--semi-space-growth-factor=1");
  try {
    for (let length = 0; ; freeBuffers(length * garbage)) {
      const piece = await make();
      if (piece === undefined) return;
      length = piece.length;
      if (length > 0) yield piece;
    }
  } finally {
    if (--running === 0) setFlagsFromString("--semi-space-growth-factor=2");
  }
}
