import { openFairSemaphore } from "../async/fair-semaphore.ts";

/**
 * A fixed number of large, reusable buffers. An owner may hold up to twice as many buffers as are free: two thirds of
 * all if alone, fewer if others hold some. So no owner, however slow, can hold all of them.
 */
export interface BufferPool {
  /** Waits until a buffer is available for this owner. */
  take(owner: string): Promise<Uint8Array>;
  giveBack(owner: string, buffer: Uint8Array): void;
}

export function openBufferPool(count: number, bytes: number): BufferPool {
  const free: Uint8Array[] = [];
  const semaphore = openFairSemaphore(count, (held, left) => (left > 0 && held < 2 * left ? 1 : 0));
  return {
    async take(owner) {
      await semaphore.take(owner, 1, 1);
      return free.pop() ?? Buffer.allocUnsafeSlow(bytes);
    },
    giveBack(owner, buffer) {
      free.push(buffer);
      semaphore.giveBack(owner, 1);
    },
  };
}
