import type { Entry } from "./entry.ts";
import type { Finding } from "./finding.ts";
import { type Defect, isDefect } from "./finding-codes.ts";
import type { FileInspector, FoundFile } from "./inspect-files.ts";
import type { CallReading, openCallReader } from "./read-call.ts";
import type { Row, Rows } from "./rows.ts";

interface EntriesOptions {
  readonly rows: Rows;
  readonly readCall: ReturnType<typeof openCallReader>;
  readonly openInspector: () => Promise<FileInspector>;
  /** About the manifest as a whole; told first. */
  readonly warnings: readonly Finding[];
  readonly notChanged: () => Promise<void>;
  readonly signal: AbortSignal | undefined;
  readonly onSkipped: (file: string | undefined) => void;
}

/** As many files are looked at together. */
const batchSize = 64;

/** All rows, each as the call it is or as what is wrong with it. */
export async function* openEntries(options: EntriesOptions): AsyncGenerator<Entry | Finding> {
  const { rows, warnings, notChanged, signal } = options;
  await notChanged();
  const inspector = await options.openInspector();
  yield* warnings;
  for await (const batch of rows.read(signal))
    for (let at = 0; at < batch.length; at += batchSize) {
      signal?.throwIfAborted();
      yield* await readBatch(batch.slice(at, at + batchSize), inspector, options);
    }
  await notChanged();
}

async function readBatch(
  batch: readonly Row[],
  inspector: FileInspector,
  { readCall, onSkipped }: EntriesOptions,
): Promise<(Entry | Finding)[]> {
  const read: { row: Row; reading: CallReading }[] = [];
  for (const row of batch) {
    const reading = row.defect ? { file: undefined, call: undefined, defects: [row.defect] } : readCall(row.cells);
    if ("skipped" in reading) onSkipped(reading.skipped);
    else read.push({ row, reading });
  }
  const named = read.flatMap(({ reading }) => reading.file ?? []);
  const looked = await inspector.inspect(named);
  let next = 0;
  return read.flatMap(({ row, reading }) => {
    const found = reading.file === undefined ? undefined : looked[next++];
    return toEntry(row, reading, found);
  });
}

function toEntry(
  { line, cells }: Row,
  { file, call, defects }: CallReading,
  found: FoundFile | Defect | undefined,
): (Entry | Finding)[] {
  const all = found && isDefect(found) ? [...defects, found] : defects;
  if (all.length > 0 || !call || !found || isDefect(found))
    return all.map((defect, at) => ({ ...defect, level: "error", line, ...(at === 0 && { cells, file }) }));
  return [{ ...call, line, path: found.path, bytes: found.bytes, modifiedMs: found.modifiedMs, cells }];
}
