import { type FileHandle, open, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { type AgentsFile, openAgentsFile } from "./agents-file.ts";
import type { Entry } from "./entry.ts";
import type { Finding } from "./finding.ts";
import { isDefect, ManifestError, ofManifest, quote } from "./finding-codes.ts";
import { openFileInspector } from "./inspect-files.ts";
import { keepHeapSmall } from "./keep-heap-small.ts";
import type { Mapping } from "./mapping.ts";
import { openText, type TextFile } from "./open-text.ts";
import { openPattern } from "./pattern.ts";
import { planFields } from "./plan-fields.ts";
import { openCallReader } from "./read-call.ts";
import { openCsv } from "./read-csv.ts";
import { openEntries } from "./read-entries.ts";
import { openJsonLines } from "./read-json-lines.ts";
import { openTimes } from "./read-time.ts";
import type { Rows } from "./rows.ts";
import { openTemporary } from "./temporary-file.ts";

export interface ManifestOptions {
  /** A CSV or JSON lines; "-": what comes in by `input`. */
  readonly manifest?: string | undefined;
  /** For "-". */
  readonly input?: NodeJS.ReadableStream | undefined;
  /** Instead of a manifest: what the names of the files say. */
  readonly pattern?: string | undefined;
  /** The folder of recordings. */
  readonly recordings: string;
  readonly mapping?: Mapping | undefined;
  readonly agentsFile?: string | undefined;
  /** These four override the mapping. */
  readonly campaign?: string | undefined;
  readonly timeFormat?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly ambiguous?: "earlier" | "later" | undefined;
  /** The largest recording that the service takes. */
  readonly maxRecordingBytes?: number | undefined;
}

export interface Manifest {
  /** As found; for the file of failures. */
  readonly columns: readonly string[];
  /** The folder of recordings, absolute. */
  readonly recordings: string;
  /**
   * Goes through all rows, each time afresh, in order, without keeping any. Rows that the mapping leaves out are told to
   * `onSkipped`, with their recording.
   */
  entries(signal?: AbortSignal, onSkipped?: (file: string | undefined) => void): AsyncIterable<Entry | Finding>;
  close(): Promise<void>;
}

interface Source {
  readonly rows: Rows;
  readonly text: TextFile | undefined;
  readonly timeFormat: string | undefined;
  readonly notChanged: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens what says which calls there are. Throws a ManifestError if it cannot be used as a whole. */
export async function openManifest(options: ManifestOptions): Promise<Manifest> {
  keepHeapSmall();
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
  const { rows, text, timeFormat, notChanged, close } = source;
  const { columns } = rows;
  const plan = planFields({ columns, mapping, campaign: options.campaign, hasAgentsFile: agents !== undefined });
  const readTime = openTimes({
    format: options.timeFormat ?? timeFormat ?? mapping.time?.format,
    zone: options.timeZone ?? mapping.time?.zone,
    ambiguous: options.ambiguous ?? mapping.time?.ambiguous,
  });
  if (isDefect(readTime)) throw new ManifestError([readTime]);
  const readCall = openCallReader({ columns, plan, readTime, agents });
  // One for each pass, so that every pass says the same.
  const openInspector = () => openFileInspector({ root: recordings, maxBytes: options.maxRecordingBytes ?? Infinity });
  const warnings = text?.guessed ? [encodingGuessed] : [];
  return {
    columns,
    recordings,
    close,
    entries: (signal, onSkipped = () => {}) =>
      openEntries({ rows, readCall, openInspector, warnings, notChanged, signal, onSkipped }),
  };
}

async function checkRecordings(recordings: string): Promise<void> {
  const stats = await stat(recordings).catch(() => undefined);
  if (stats?.isDirectory()) return;
  throw new ManifestError([
    {
      code: "recordings_missing",
      detail: `There is no folder ${quote(recordings)}.`,
      fix: "State the folder that holds the recordings with --recordings.",
    },
  ]);
}

async function openSource({ manifest, input, pattern, mapping }: ManifestOptions, recordings: string): Promise<Source> {
  if ((manifest === undefined) === (pattern === undefined))
    throw new ManifestError([
      {
        code: "manifest_and_pattern",
        detail: manifest ? "Both a manifest and a pattern are given." : "Neither a manifest nor a pattern is given.",
        fix: "Give the one or the other; a manifest can use parts of a file's name: --map 'agent={file|/^([^_]+)_/}'.",
      },
    ]);
  if (manifest === undefined) {
    const { rows, timeFormat, close } = await openPattern(pattern ?? "", recordings);
    return { rows, text: undefined, timeFormat, notChanged: async () => {}, close };
  }
  const file = manifest === "-" ? await keepInput(input ?? process.stdin) : await openFile(manifest);
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
  const notChanged = await watchChanges(file, name);
  return { rows, text, timeFormat: undefined, notChanged, close: () => file.close() };
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    if ((await stat(path)).isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    return await open(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const detail = `The manifest ${quote(path)} cannot be read (${code}).`;
    throw new ManifestError([{ code: "manifest_missing", detail, fix: "Check its path, and the right to read it." }]);
  }
}

async function keepInput(input: NodeJS.ReadableStream): Promise<FileHandle> {
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
      detail: `${name} has no row below the names of its columns.`,
      fix: "Export it again, with the calls.",
    },
  ]);
}

/** A manifest that changes while it is used would be surveyed in one form and imported in another. */
async function watchChanges(file: FileHandle, name: string): Promise<() => Promise<void>> {
  const before = await file.stat();
  return async () => {
    const { size, mtimeMs } = await file.stat();
    if (size === before.size && mtimeMs === before.mtimeMs) return;
    throw new ManifestError([
      { code: "manifest_changed", detail: `${name} was changed since it was opened.`, fix: "Start again." },
    ]);
  };
}

const encodingGuessed = ofManifest(
  {
    code: "manifest_encoding_guessed",
    detail: "The manifest is not UTF-8. It is read as Windows-1252.",
    fix: "Check names with accents; save it as CSV UTF-8 if they are wrong.",
  },
  "warning",
);
