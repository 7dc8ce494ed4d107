import type { ImportCounts } from "./import-stats.ts";
import { lookUpAhead } from "./look-up-ahead.ts";
import { type ImportOptions, openPipeline, type Pipeline } from "./pipeline.ts";
import { readAhead } from "./read-ahead.ts";
import { uploadEntry } from "./upload-entry.ts";

/**
 * Uploads every entry that the service does not have. Reports entries that fail to `onFailure`. Throws ImportStopped on a
 * fatal error or a stop; a new run resumes.
 */
export async function importEntries(options: ImportOptions): Promise<ImportCounts> {
  const pipeline = openPipeline(options);
  const { shutdown, stats, concurrency } = pipeline;
  const workers = Array.from({ length: concurrency.max }, () => uploadAll(pipeline));
  // An error in one stage stops the others, which would otherwise wait forever.
  const safely = (part: Promise<void>) => part.catch((error) => shutdown.stop(error));
  await Promise.all([readAhead(pipeline), lookUpAhead(pipeline), ...workers].map(safely));
  shutdown.end();
  return stats.counts;
}

/** Third stage of the pipeline: an upload worker. */
async function uploadAll(pipeline: Pipeline): Promise<void> {
  const { condition, stopped, missing, ended, failed, release } = pipeline;
  for (;;) {
    await condition.waitUntil(() => stopped() || missing.length > 0 || ended.lookingUp);
    if (stopped() || (missing.length === 0 && ended.lookingUp)) return;
    const hashedEntry = missing.shift();
    // Another worker took it.
    if (!hashedEntry) continue;
    await uploadEntry(hashedEntry, pipeline).catch((error) => failed(hashedEntry.entry, error));
    release(hashedEntry.entry);
  }
}
