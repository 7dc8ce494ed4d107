/** Write-behind buffer: merges values per key in memory and writes them later, in batches. A crash loses what is buffered. */
export interface WriteBehind<Key, Value> {
  add(key: Key, value: Value): void;
  /** The number of buffered keys. */
  size(): number;
  /** Writes what is buffered now. */
  flush(): Promise<void>;
  /** Flushes once more and stops. What cannot be written now is lost. */
  close(): Promise<void>;
}

export interface WriteBehindOptions<Key, Value> {
  /** Time between the first value in the buffer and the flush. */
  readonly intervalMs: number;
  merge(buffered: Value, added: Value): Value;
  /** Writes a batch and returns the entries to retry with the next flush. Must not throw. */
  write(batch: readonly (readonly [Key, Value])[]): Promise<readonly (readonly [Key, Value])[]>;
  /** Bounds the buffer. Default: no bound, if the keys are bounded already. */
  readonly maxEntries?: number;
  /** Returns the entry to add instead of one that does not fit. Without one, the value is dropped. */
  whenFull?(value: Value): readonly [Key, Value] | undefined;
}

export function openWriteBehind<Key, Value>(options: WriteBehindOptions<Key, Value>): WriteBehind<Key, Value> {
  const { intervalMs, maxEntries = Number.POSITIVE_INFINITY } = options;
  let buffer = new Map<Key, Value>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function put(key: Key, value: Value): void {
    const buffered = buffer.get(key);
    if (buffered !== undefined) buffer.set(key, options.merge(buffered, value));
    else if (buffer.size < maxEntries) buffer.set(key, value);
    else {
      const instead = options.whenFull?.(value);
      if (instead) put(...instead);
    }
  }

  function schedule(): void {
    timer ??= setTimeout(flush, intervalMs).unref();
  }

  async function writeBatch(): Promise<void> {
    const batch = [...buffer];
    buffer = new Map();
    if (batch.length === 0) return;
    for (const [key, value] of await options.write(batch)) put(key, value);
    if (buffer.size > 0) schedule();
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // One batch at a time, so that a retry cannot overtake it.
    const written = writing.then(writeBatch);
    writing = written.catch(() => {});
    return written;
  }

  return {
    add(key, value) {
      put(key, value);
      schedule();
    },
    size: () => buffer.size,
    flush,
    async close() {
      await flush();
      clearTimeout(timer);
    },
  };
}
