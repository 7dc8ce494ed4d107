import type { Entry, InvalidRow } from "../entry.ts";
import { type Defect, isDefect } from "../finding-codes.ts";
import type { CallReading, openCallReader } from "../read-call.ts";
import type { FileInspector, FoundFile } from "../recordings/inspect-files.ts";
import type { Row, Rows } from "./rows.ts";

interface EntriesOptions {
  readonly rows: Rows;
  readonly readCall: ReturnType<typeof openCallReader>;
  readonly openInspector: () => Promise<FileInspector>;
  readonly assertUnchanged: () => Promise<void>;
  readonly signal: AbortSignal | undefined;
  readonly onSkipped: (file: string | undefined) => void;
}

/** Number of files checked concurrently. */
const batchSize = 64;

/** Yields every row that the mapping does not skip. */
export async function* openEntries(options: EntriesOptions): AsyncGenerator<Entry | InvalidRow> {
  const { rows, assertUnchanged, signal } = options;
  await assertUnchanged();
  const inspector = await options.openInspector();
  for await (const batch of rows.read(signal))
    for (let at = 0; at < batch.length; at += batchSize) {
      signal?.throwIfAborted();
      yield* await readBatch(batch.slice(at, at + batchSize), inspector, options);
    }
  await assertUnchanged();
}

async function readBatch(
  batch: readonly Row[],
  inspector: FileInspector,
  { readCall, onSkipped }: EntriesOptions,
): Promise<(Entry | InvalidRow)[]> {
  const read: { row: Row; reading: CallReading }[] = [];
  for (const row of batch) {
    const reading = row.defect ? unreadable(row.defect) : readCall(row.cells, row.cellDefects);
    if ("skipped" in reading) onSkipped(reading.skipped);
    else read.push({ row, reading });
  }
  const named = read.flatMap(({ reading }) => reading.fields.file ?? []);
  const inspected = await inspector.inspect(named);
  let next = 0;
  return read.map(({ row, reading }) => {
    const found = reading.fields.file === undefined ? undefined : inspected[next++];
    return toEntry(row, reading, found);
  });
}

const unreadable = (defect: Defect): CallReading => ({
  fields: {
    file: undefined,
    campaignId: undefined,
    agentEmail: undefined,
    agentName: undefined,
    happenedAt: undefined,
  },
  call: undefined,
  defects: [defect],
});

function toEntry(
  { line, cells }: Row,
  { fields, call, defects }: CallReading,
  found: FoundFile | Defect | undefined,
): Entry | InvalidRow {
  if (call && found && !isDefect(found))
    return { ...call, line, path: found.path, bytes: found.bytes, modifiedMs: found.modifiedMs, cells };
  const all = found && isDefect(found) ? [...defects, found] : defects;
  return { ...fields, line, cells, findings: all.map((defect) => ({ ...defect, level: "error", line })) };
}
