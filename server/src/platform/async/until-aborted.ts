/** Iterates over the source and stops as soon as the signal is aborted, even while waiting for an item. */
export async function* untilAborted<T>(
  source: Promise<AsyncIterable<T>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  const items = (
    await orAborted(source, signal).catch((error) => {
      void discard(source);
      throw error;
    })
  )[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await orAborted(items.next(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    // Not awaited: the source may take a while to end.
    items.return?.()?.catch(() => {});
  }
}

/** Not Promise.race, which would keep every item in memory until the signal is garbage-collected. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** Reads one item, because a generator that was never started does not run its `finally`. */
async function discard<T>(source: Promise<AsyncIterable<T>>): Promise<void> {
  try {
    for await (const _ of await source) return;
  } catch {
    // The source is no longer needed.
  }
}
