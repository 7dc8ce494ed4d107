const stepBytes = 8 * 1024;

/**
 * Buffer pool for recordings. Without it, thousands of large buffers per second would wait for the garbage collector
 * and multiply the process's memory.
 */
export function openBufferPool(maxBytes: number) {
  const free = new Map<number, Buffer[]>();
  let freeBytes = 0;
  return {
    take(bytes: number): Buffer {
      const size = Math.max(1, Math.ceil(bytes / stepBytes)) * stepBytes;
      const found = free.get(size)?.pop();
      if (found) freeBytes -= size;
      return (found ?? Buffer.allocUnsafeSlow(size)).subarray(0, bytes);
    },
    /** Call only when the buffer is no longer used: an aborted upload may still be sending it. */
    release(buffer: Uint8Array): void {
      const size = buffer.buffer.byteLength;
      if (freeBytes + size > maxBytes) return;
      freeBytes += size;
      const same = free.get(size) ?? [];
      free.set(size, same);
      same.push(Buffer.from(buffer.buffer as ArrayBuffer));
    },
  };
}
export type BufferPool = ReturnType<typeof openBufferPool>;
