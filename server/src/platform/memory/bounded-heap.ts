import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { collectGarbage } from "./collect-garbage.ts";

/** Collect garbage after the heap has grown by this much. */
const maxGrowthBytes = 24 * 1024 * 1024;

const usedBytes = () => getHeapStatistics().used_heap_size;
let running = 0;

let usedBefore = usedBytes();

/** Collects garbage if the heap has grown. For the end of each batch of a long list. */
export function collectIfGrown(): void {
  if (usedBytes() < usedBefore + maxGrowthBytes) return;
  collectGarbage();
  usedBefore = usedBytes();
}

/**
 * Yields the pieces that `make` produces, including empty ones, with bounded heap growth. For a long stream of
 * short-lived objects, V8 would grow the young generation by 100 MB and more and keep it. So its size is fixed
 * meanwhile, and the old generation is collected early: about 30 ms per 10,000 rows.
 */
export async function* withBoundedHeap(make: () => Promise<string | undefined>): AsyncGenerator<string> {
  if (running++ === 0) setFlagsFromString("--semi-space-growth-factor=1");
  try {
    for (let piece = await make(); piece !== undefined; piece = await make()) {
      yield piece;
      collectIfGrown();
    }
  } finally {
    if (--running === 0) setFlagsFromString("--semi-space-growth-factor=2");
  }
}
