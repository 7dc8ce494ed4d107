import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { collectGarbage } from "../collect-garbage.ts";

/** By how much the heap may grow before it is collected. */
const slackBytes = 24 * 1024 * 1024;

const usedBytes = () => getHeapStatistics().used_heap_size;
let running = 0;

/**
 * Gives on what `make` makes, piece by piece, empty ones too, without letting the heap grow by it. V8 answers a long stream of short-lived
 * objects by making room for more of them, a hundred megabytes and more, which it keeps. So meanwhile the young generation
 * keeps its size, and what piles up in the old one is collected early: some 30 ms after every ten thousand rows or so.
 */
export async function* withSteadyHeap(make: () => Promise<string | undefined>): AsyncGenerator<string> {
  if (running++ === 0) setFlagsFromString("--semi-space-growth-factor=1");
  try {
    let before = usedBytes();
    for (let piece = await make(); piece !== undefined; piece = await make()) {
      yield piece;
      if (usedBytes() < before + slackBytes) continue;
      collectGarbage();
      before = usedBytes();
    }
  } finally {
    if (--running === 0) setFlagsFromString("--semi-space-growth-factor=2");
  }
}
