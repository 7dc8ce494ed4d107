import { type FileHandle, open, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { type AgentsFile, openAgentsFile } from "./agents-file.ts";
import type { Entry, InvalidRow } from "./entry.ts";
import type { Finding } from "./finding.ts";
import { isDefect, ManifestError, manifestFinding, quote } from "./finding-codes.ts";
import { limitHeapGrowth } from "./limit-heap-growth.ts";
import type { Mapping } from "./mapping.ts";
import { openPattern } from "./pattern.ts";
import { planFields } from "./plan-fields.ts";
import { openCallReader } from "./read-call.ts";
import { openFileInspector } from "./recordings/inspect-files.ts";
import { openText, type TextFile } from "./rows/open-text.ts";
import { openCsv } from "./rows/read-csv.ts";
import { openEntries } from "./rows/read-entries.ts";
import { openJsonLines } from "./rows/read-json-lines.ts";
import type { Rows } from "./rows/rows.ts";
import { openTemporary } from "./temporary-file.ts";
import { openTimeReader } from "./times/read-time.ts";

export interface ManifestOptions {
  /** Path of a CSV or JSON lines file; "-" for `input`. */
  readonly manifest?: string | undefined;
  /** Read if `manifest` is "-". */
  readonly input?: NodeJS.ReadableStream | undefined;
  /** File name pattern, instead of a manifest. */
  readonly pattern?: string | undefined;
  /** The recordings folder. */
  readonly recordings: string;
  readonly mapping?: Mapping | undefined;
  readonly agentsFile?: string | undefined;
  /** These four options override the mapping. */
  readonly campaign?: string | undefined;
  readonly timeFormat?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly ambiguous?: "earlier" | "later" | undefined;
  /** Maximum size that the service accepts. */
  readonly maxRecordingBytes?: number | undefined;
}

export interface Manifest {
  /** Columns as found, for the failures file. */
  readonly columns: readonly string[];
  /** Separator of a CSV file. */
  readonly separator: string | undefined;
  /** Absolute path of the recordings folder. */
  readonly recordings: string;
  /** Findings about the whole manifest. */
  readonly warnings: readonly Finding[];
  /**
   * Streams all rows in order; can be called repeatedly. Calls `onSkipped` with the recording of each row that the mapping
   * skips.
   */
  entries(signal?: AbortSignal, onSkipped?: (file: string | undefined) => void): AsyncIterable<Entry | InvalidRow>;
  close(): Promise<void>;
}

interface Source {
  readonly rows: Rows;
  readonly text: TextFile | undefined;
  readonly timeFormat: string | undefined;
  readonly assertUnchanged: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens the manifest. Throws a ManifestError if it is invalid as a whole. */
export async function openManifest(options: ManifestOptions): Promise<Manifest> {
  limitHeapGrowth();
  const recordings = resolve(options.recordings);
  await checkRecordings(recordings);
  const agents = options.agentsFile === undefined ? undefined : await openAgentsFile(options.agentsFile);
  const source = await openSource(options, recordings);
  try {
    return await planEntries(options, { recordings, agents, source });
  } catch (error) {
    await source.close();
    throw error;
  }
}

interface Opened {
  readonly recordings: string;
  readonly agents: AgentsFile | undefined;
  readonly source: Source;
}

async function planEntries(options: ManifestOptions, { recordings, agents, source }: Opened): Promise<Manifest> {
  const { mapping = {} } = options;
  const { rows, text, timeFormat, assertUnchanged, close } = source;
  const { columns } = rows;
  const plan = planFields({ columns, mapping, campaign: options.campaign, hasAgentsFile: agents !== undefined });
  const readTime = openTimeReader({
    format: options.timeFormat ?? timeFormat ?? mapping.time?.format,
    zone: options.timeZone ?? mapping.time?.zone,
    ambiguous: options.ambiguous ?? mapping.time?.ambiguous,
  });
  if (isDefect(readTime)) throw new ManifestError([readTime]);
  const readCall = openCallReader({ columns, plan, readTime, agents });
  // A new inspector for each pass, so that every pass gives the same results.
  const openInspector = () => openFileInspector({ root: recordings, maxBytes: options.maxRecordingBytes ?? Infinity });
  return {
    columns,
    separator: rows.separator,
    recordings,
    warnings: text?.guessed ? [encodingGuessed] : [],
    close,
    entries: (signal, onSkipped = () => {}) =>
      openEntries({ rows, readCall, openInspector, assertUnchanged, signal, onSkipped }),
  };
}

async function checkRecordings(recordings: string): Promise<void> {
  const stats = await stat(recordings).catch(() => undefined);
  if (stats?.isDirectory()) return;
  throw new ManifestError([
    {
      code: "recordings_missing",
      detail: `No such folder: ${quote(recordings)}.`,
      fix: "Pass the folder that contains the recordings with --recordings.",
    },
  ]);
}

async function openSource({ manifest, input, pattern, mapping }: ManifestOptions, recordings: string): Promise<Source> {
  if ((manifest === undefined) === (pattern === undefined))
    throw new ManifestError([
      {
        code: "manifest_and_pattern",
        detail: manifest ? "Both a manifest and a pattern were given." : "Neither a manifest nor a pattern was given.",
        fix: "Use one or the other. With a manifest, you can read parts of the file name: --map 'agent={file|/^([^_]+)_/}'.",
      },
    ]);
  if (manifest === undefined) {
    const { rows, timeFormat, close } = await openPattern(pattern ?? "", recordings);
    return { rows, text: undefined, timeFormat, assertUnchanged: async () => {}, close };
  }
  const file = manifest === "-" ? await bufferInput(input ?? process.stdin) : await openFile(manifest);
  try {
    return await openFileSource(file, manifest, mapping);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openFileSource(file: FileHandle, path: string, mapping: Mapping | undefined): Promise<Source> {
  const name = path === "-" ? "The input" : basename(path);
  const text = await openText(file, name);
  const isJson = /\.(jsonl|ndjson|json)$/i.test(path) || /^\ufeff?\s*[{[]/.test(text.head);
  const rows = isJson
    ? await openJsonLines(text, name)
    : await openCsv(text, { name, separator: mapping?.separator, columns: mapping?.columns });
  await checkRows(rows, name);
  const assertUnchanged = await detectChanges(file, name);
  return { rows, text, timeFormat: undefined, assertUnchanged, close: () => file.close() };
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    if ((await stat(path)).isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    return await open(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const detail = `Cannot read the manifest ${quote(path)} (${code}).`;
    throw new ManifestError([{ code: "manifest_missing", detail, fix: "Check the path and the read permission." }]);
  }
}

async function bufferInput(input: NodeJS.ReadableStream): Promise<FileHandle> {
  const file = await openTemporary();
  await pipeline(input, async (chunks: AsyncIterable<Uint8Array | string>) => {
    for await (const chunk of chunks) await file.writeFile(chunk);
  });
  return file;
}

async function checkRows(rows: Rows, name: string): Promise<void> {
  for await (const batch of rows.read()) if (batch.length > 0) return;
  throw new ManifestError([
    {
      code: "header_only",
      detail: `${name} has a header but no rows.`,
      fix: "Export it again with the calls.",
    },
  ]);
}

/** Detects changes: otherwise the preflight and the import could read different content. */
async function detectChanges(file: FileHandle, name: string): Promise<() => Promise<void>> {
  const before = await file.stat();
  return async () => {
    const { size, mtimeMs } = await file.stat();
    if (size === before.size && mtimeMs === before.mtimeMs) return;
    throw new ManifestError([
      { code: "manifest_changed", detail: `${name} changed after it was opened.`, fix: "Run the command again." },
    ]);
  };
}

const encodingGuessed = manifestFinding(
  {
    code: "manifest_encoding_guessed",
    detail: "The manifest is not UTF-8 and is read as Windows-1252.",
    fix: "Check names with accents. If they are wrong, save the file as CSV UTF-8.",
  },
  "warning",
);
