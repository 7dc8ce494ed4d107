const stepBytes = 8 * 1024;

/**
 * Memory for recordings, used again: thousands of large buffers a second would wait for the garbage collector, and
 * the process would be several times as large as what it holds.
 */
export function openBuffers(mostBytes: number) {
  const free = new Map<number, Buffer[]>();
  let freeBytes = 0;
  return {
    take(bytes: number): Buffer {
      const size = Math.max(1, Math.ceil(bytes / stepBytes)) * stepBytes;
      const found = free.get(size)?.pop();
      if (found) freeBytes -= size;
      return (found ?? Buffer.allocUnsafeSlow(size)).subarray(0, bytes);
    },
    /** Only for what nobody looks at any more: a broken-off upload may still be sending. */
    giveBack(buffer: Uint8Array): void {
      const size = buffer.buffer.byteLength;
      if (freeBytes + size > mostBytes) return;
      freeBytes += size;
      const same = free.get(size) ?? [];
      free.set(size, same);
      same.push(Buffer.from(buffer.buffer as ArrayBuffer));
    },
  };
}
export type Buffers = ReturnType<typeof openBuffers>;
