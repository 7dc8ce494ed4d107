import { type Defect, isDefect, ManifestError, quote } from "./finding-codes.ts";
import { type Listed, listRecordings } from "./recordings/list-recordings.ts";
import type { Row, Rows } from "./rows/rows.ts";
import { compileTimeFormat } from "./times/time-format.ts";

export interface Pattern {
  /** "file", then the fields of the pattern. */
  readonly columns: readonly string[];
  readonly timeFormat: string | undefined;
  /** Reads the cells from a file name. */
  readonly read: (file: string) => readonly string[] | Defect;
}

interface Sources {
  readonly lazy: string;
  readonly greedy: string;
}

/** Compiles "{agent_email}_{time:yyyyMMddHHmmss}_{client_phone}.wav". */
export function compilePattern(pattern: string): Pattern | Defect {
  const names: string[] = [];
  /** Regex groups of the fields. */
  const places: number[] = [];
  let groups = 0;
  let timeFormat: string | undefined;
  let lazy = "";
  let greedy = "";
  for (const [part] of pattern.replaceAll("\\", "/").matchAll(/\{[^{}]*\}|[^{}]+|[{}]/g)) {
    if (part === "{" || part === "}") return badPattern(pattern, "The braces do not match.");
    const name = part.startsWith("{") ? part.slice(1, -1) : undefined;
    const cut = name?.indexOf(":") ?? -1;
    const field = (cut < 0 ? name : name?.slice(0, cut))?.trim();
    const format = cut < 0 ? undefined : name?.slice(cut + 1);
    if (field === "") return badPattern(pattern, "It has empty braces.");
    if (field !== undefined && names.includes(field)) return badPattern(pattern, `It uses ${quote(field)} twice.`);
    if (format !== undefined && field !== "time")
      return badPattern(pattern, `Only the time can have a format, not ${quote(field ?? "")}.`);
    const sources = sourcesOf(part, field, format);
    if (isDefect(sources)) return sources;
    lazy += sources.lazy;
    greedy += sources.greedy;
    timeFormat ??= format;
    if (field === undefined) continue;
    groups++;
    if (isIgnored(field)) continue;
    names.push(field);
    places.push(groups);
  }
  if (names.length === 0) return badPattern(pattern, "It has no fields, such as {agent_email}.");
  if (names.includes("file"))
    return badPattern(pattern, "It must not contain {file}, which is always the file name itself.");
  return { columns: ["file", ...names], timeFormat, read: readBy({ lazy, greedy }, places, pattern) };
}

const isIgnored = (field: string) => field === "_" || field === "*";

function sourcesOf(part: string, field: string | undefined, format: string | undefined): Sources | Defect {
  const both = (source: string) => ({ lazy: source, greedy: source });
  if (field === undefined) return both(part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  if (isIgnored(field)) return { lazy: "([^/]*?)", greedy: "([^/]*)" };
  if (format === undefined || /^(unix|unix_ms|unix_us|iso)$/.test(format)) {
    const character = field === "agent_email" ? "[^/\\s]" : "[^/]";
    return { lazy: `(${character}+?)`, greedy: `(${character}+)` };
  }
  const compiled = compileTimeFormat(format);
  return isDefect(compiled) ? compiled : both(`(${compiled.source})`);
}

/**
 * Matches with a lazy and a greedy regex. If they differ, in any part including ignored ones, the name is ambiguous.
 */
function readBy({ lazy, greedy }: Sources, places: readonly number[], pattern: string): Pattern["read"] {
  const shortest = new RegExp(`^${lazy}$`, "iu");
  const longest = new RegExp(`^${greedy}$`, "iu");
  return (file) => {
    const short = shortest.exec(file);
    if (!short)
      return {
        code: "pattern_mismatch",
        detail: `The file name ${quote(file)} does not match the pattern ${quote(pattern)}.`,
        fix: "Rename the file, move it out of the folder if it is not a recording, or change the pattern. Use {_} for a part to ignore.",
      };
    const long = longest.exec(file);
    const at = short.findIndex((part, index) => part !== long?.[index]);
    if (at >= 0)
      return {
        code: "pattern_ambiguous",
        detail: `The file name ${quote(file)} matches the pattern in two ways: ${quote(short[at] ?? "")} or ${quote(long?.[at] ?? "")}.`,
        fix: "Rename the file or use a manifest. Use a single {_} instead of several in a row.",
      };
    return [file, ...places.map((place) => short[place] ?? "")];
  };
}

const badPattern = (pattern: string, why: string): Defect => ({
  code: "pattern_bad",
  detail: `Invalid pattern ${quote(pattern)}. ${why}`,
  fix: "Use field names in braces, such as {agent_email}_{time:yyyyMMddHHmmss}_{client_phone}.wav.",
});

const unreadable = (folder: string, code: string): Defect => ({
  code: "file_unreadable",
  detail: `Cannot read the folder ${quote(folder)} (${code}): its recordings are unknown.`,
  fix: "Give this user read permission (chmod, chown), or check the disk.",
});

interface PatternRows {
  readonly rows: Rows;
  readonly timeFormat: string | undefined;
  readonly close: () => Promise<void>;
}

/** Lists the current recordings as rows, with the cells from their names. */
export async function openPattern(pattern: string, root: string): Promise<PatternRows> {
  const compiled = compilePattern(pattern);
  if (isDefect(compiled)) throw new ManifestError([compiled]);
  const { columns, timeFormat, read } = compiled;
  const list = await listRecordings(root);
  const toRow = (item: Listed, line: number): Row => {
    if ("folder" in item) return { line, cells: [item.folder], defect: unreadable(item.folder, item.error) };
    const cells = read(item.file);
    return isDefect(cells) ? { line, cells: [item.file], defect: cells } : { line, cells };
  };
  async function* readRows(signal?: AbortSignal) {
    let line = 0;
    for await (const some of list.read(signal)) yield some.map((item) => toRow(item, ++line));
  }
  return { rows: { columns, read: readRows }, timeFormat, close: list.close };
}
