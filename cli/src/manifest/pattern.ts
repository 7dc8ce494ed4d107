import { type Defect, isDefect, ManifestError, quote } from "./finding-codes.ts";
import { type Listed, listRecordings } from "./list-recordings.ts";
import type { Row, Rows } from "./rows.ts";
import { compileTimeFormat } from "./time-format.ts";

export interface Pattern {
  /** The first is the file; the others are what the pattern names. */
  readonly columns: readonly string[];
  readonly timeFormat: string | undefined;
  /** The cells of a file, by its name. */
  readonly read: (file: string) => readonly string[] | Defect;
}

interface Sources {
  readonly lazy: string;
  readonly greedy: string;
}

/** Compiles "{agent_email}_{time:yyyyMMddHHmmss}_{client_phone}.wav". */
export function compilePattern(pattern: string): Pattern | Defect {
  const names: string[] = [];
  /** Which groups of the match are the names. */
  const places: number[] = [];
  let groups = 0;
  let timeFormat: string | undefined;
  let lazy = "";
  let greedy = "";
  for (const [part] of pattern.replaceAll("\\", "/").matchAll(/\{[^{}]*\}|[^{}]+|[{}]/g)) {
    if (part === "{" || part === "}") return badPattern(pattern, "A brace is not closed, or was never opened.");
    const name = part.startsWith("{") ? part.slice(1, -1) : undefined;
    const cut = name?.indexOf(":") ?? -1;
    const field = (cut < 0 ? name : name?.slice(0, cut))?.trim();
    const format = cut < 0 ? undefined : name?.slice(cut + 1);
    if (field === "") return badPattern(pattern, "A pair of braces is empty.");
    if (field !== undefined && names.includes(field)) return badPattern(pattern, `It has ${quote(field)} twice.`);
    if (format !== undefined && field !== "time")
      return badPattern(pattern, `Only the time has a format, ${quote(field ?? "")} has none.`);
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
  if (names.length === 0) return badPattern(pattern, "It names nothing, such as {agent_email}.");
  if (names.includes("file")) return badPattern(pattern, "The file is the name itself.");
  return { columns: ["file", ...names], timeFormat, read: readBy({ lazy, greedy }, places, pattern) };
}

const isIgnored = (field: string) => field === "_" || field === "*";

function sourcesOf(part: string, field: string | undefined, format: string | undefined): Sources | Defect {
  const both = (source: string) => ({ lazy: source, greedy: source });
  if (field === undefined) return both(part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  if (isIgnored(field)) return { lazy: "([^/]*?)", greedy: "([^/]*)" };
  if (format === undefined || /^(unix|unix_ms|unix_us|iso)$/.test(format)) {
    const sign = field === "agent_email" ? "[^/\\s]" : "[^/]";
    return { lazy: `(${sign}+?)`, greedy: `(${sign}+)` };
  }
  const compiled = compileTimeFormat(format);
  return isDefect(compiled) ? compiled : both(`(${compiled.source})`);
}

/**
 * Read from both ends: a name that can be cut in two ways says nothing for certain. The parts that do not matter count too:
 * where they end is where the others begin.
 */
function readBy({ lazy, greedy }: Sources, places: readonly number[], pattern: string): Pattern["read"] {
  const shortest = new RegExp(`^${lazy}$`, "iu");
  const longest = new RegExp(`^${greedy}$`, "iu");
  return (file) => {
    const one = shortest.exec(file);
    if (!one)
      return {
        code: "pattern_mismatch",
        detail: `The name ${quote(file)} does not fit the pattern ${quote(pattern)}.`,
        fix: "Rename the file, move it out of the folder if it is no recording, or change the pattern; {_} stands for a part that does not matter.",
      };
    const other = longest.exec(file);
    const at = one.findIndex((part, index) => part !== other?.[index]);
    if (at >= 0)
      return {
        code: "pattern_ambiguous",
        detail: `The name ${quote(file)} fits the pattern in two ways: ${quote(one[at] ?? "")} or ${quote(other?.[at] ?? "")}.`,
        fix: "Rename the file, or give the calls in a manifest; write one {_} where several follow one another.",
      };
    return [file, ...places.map((place) => one[place] ?? "")];
  };
}

const badPattern = (pattern: string, why: string): Defect => ({
  code: "pattern_bad",
  detail: `The pattern ${quote(pattern)} cannot be used. ${why}`,
  fix: "Write it as {agent_email}_{time:yyyyMMddHHmmss}_{client_phone}.wav: the names of what a file's name says, in braces.",
});

const unreadable = (folder: string, code: string): Defect => ({
  code: "file_unreadable",
  detail: `The folder ${quote(folder)} cannot be read (${code}): the recordings in it are not known.`,
  fix: "Give this user the right to read it (chmod, chown), or check the disk.",
});

interface PatternRows {
  readonly rows: Rows;
  readonly timeFormat: string | undefined;
  readonly close: () => Promise<void>;
}

/** The recordings that are there now as rows, each with what its name says. */
export async function openPattern(pattern: string, root: string): Promise<PatternRows> {
  const compiled = compilePattern(pattern);
  if (isDefect(compiled)) throw new ManifestError([compiled]);
  const { columns, timeFormat, read } = compiled;
  const list = await listRecordings(root);
  const toRow = (one: Listed, line: number): Row => {
    if ("folder" in one) return { line, cells: [one.folder], defect: unreadable(one.folder, one.error) };
    const cells = read(one.file);
    return isDefect(cells) ? { line, cells: [one.file], defect: cells } : { line, cells };
  };
  async function* readRows(signal?: AbortSignal) {
    let line = 0;
    for await (const some of list.read(signal)) yield some.map((one) => toRow(one, ++line));
  }
  return { rows: { columns, read: readRows }, timeFormat, close: list.close };
}
