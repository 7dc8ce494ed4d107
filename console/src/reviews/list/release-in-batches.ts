interface Released {
  readonly released: readonly string[];
  readonly skipped: readonly string[];
}

/** Small enough to show progress. The API takes 200 at once. */
const batchSize = 25;

/** Releases reviews in batches. */
export async function releaseInBatches(
  release: (ids: readonly string[]) => Promise<Released>,
  ids: readonly string[],
  onProgress: (done: number) => void,
): Promise<{ readonly released: number; readonly skipped: number }> {
  let [released, skipped] = [0, 0];
  for (let from = 0; from < ids.length; from += batchSize) {
    const part = await release(ids.slice(from, from + batchSize));
    released += part.released.length;
    skipped += part.skipped.length;
    onProgress(released + skipped);
  }
  return { released, skipped };
}
