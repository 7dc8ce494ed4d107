/**
 * Returns a function that yields to the event loop. Waiting callers are resumed in FIFO order, a few per iteration, so
 * that other requests are served in between.
 */
export function openYieldQueue(perIteration = 8): () => Promise<void> {
  const waiting: (() => void)[] = [];

  function resumeNext(): void {
    const batch = waiting.splice(0, perIteration);
    if (waiting.length > 0) setImmediate(resumeNext);
    for (const resume of batch) resume();
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(resumeNext);
    });
}
