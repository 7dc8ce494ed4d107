import { lookUpAhead } from "./look-up-ahead.ts";
import { type ImportOptions, openPipeline, type Pipeline } from "./pipeline.ts";
import { readAhead } from "./read-ahead.ts";
import type { ImportCounts } from "./tally.ts";
import { uploadEntry } from "./upload-entry.ts";

/**
 * Makes sure that every entry is a call of the service: what is there already is not sent, the rest is uploaded, what
 * cannot be is told to `onFailure`. Throws ImportStopped when it cannot go on; run again, it continues.
 */
export async function importEntries(options: ImportOptions): Promise<ImportCounts> {
  const pipeline = openPipeline(options);
  const { stopping, tally, pace } = pipeline;
  const lanes = Array.from({ length: pace.most }, () => uploadAll(pipeline));
  // Whatever breaks one part must not leave the others waiting.
  const safely = (part: Promise<void>) => part.catch((error) => stopping.stop(error));
  await Promise.all([readAhead(pipeline), lookUpAhead(pipeline), ...lanes].map(safely));
  stopping.end();
  return tally.counts;
}

/** The third part of an import, of which several are at work. */
async function uploadAll(pipeline: Pipeline): Promise<void> {
  const { gate, stopped, missing, ended, failed, letGo } = pipeline;
  for (;;) {
    await gate.until(() => stopped() || missing.length > 0 || ended.lookingUp);
    if (stopped() || (missing.length === 0 && ended.lookingUp)) return;
    const prepared = missing.shift();
    // Another lane was faster.
    if (!prepared) continue;
    await uploadEntry(prepared, pipeline).catch((error) => failed(prepared.entry, error));
    letGo(prepared.entry);
  }
}
