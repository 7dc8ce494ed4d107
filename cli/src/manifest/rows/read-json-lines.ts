import { type Defect, ManifestError, quote } from "../finding-codes.ts";
import type { TextFile } from "./open-text.ts";
import { maxRowCharacters, type Row, type Rows, tooLong } from "./rows.ts";

const maxKeys = 1000;

/** Opens JSON lines as rows. Reads the file once to collect the members of all objects as columns. */
export async function openJsonLines(text: TextFile, name: string): Promise<Rows> {
  if (text.head.trimStart().startsWith("["))
    throw new ManifestError([
      {
        code: "manifest_json_array",
        detail: `${name} is a JSON array.`,
        fix: "Use one object per line. To convert the file: jq -c '.[]' FILE > NEW.",
      },
    ]);
  const keys = new Set<string>();
  for await (const lines of splitLines(text)) {
    for (const { value } of lines) for (const key of Object.keys(objectIn(value) ?? {})) keys.add(key);
    if (keys.size > maxKeys) throw new ManifestError([tooWide(name)]);
  }
  const columns = [...keys];
  return { columns, read: (signal) => readRows(text, columns, signal) };
}

async function* readRows(text: TextFile, columns: readonly string[], signal?: AbortSignal) {
  for await (const lines of splitLines(text, signal)) yield lines.map((line) => toRow(line, columns));
}

interface Line {
  readonly line: number;
  /** undefined: the line is too long. */
  readonly value: string | undefined;
}

async function* splitLines(text: TextFile, signal?: AbortSignal): AsyncGenerator<Line[]> {
  let rest = "";
  let line = 0;
  let tooLongAlready = false;
  const take = (value: string): Line[] => {
    line++;
    const long = tooLongAlready || value.length > maxRowCharacters;
    tooLongAlready = false;
    return value.trim() === "" && !long ? [] : [{ line, value: long ? undefined : value }];
  };
  for await (const chunk of text.chunks(signal)) {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    if (rest.length > maxRowCharacters) {
      tooLongAlready = true;
      rest = "";
    }
    yield parts.flatMap(take);
  }
  yield take(rest);
}

function objectIn(value: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(value ?? "");
    return parsed !== null && typeof parsed === "object" && !Array.isArray(parsed) ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
}

function toRow({ line, value }: Line, columns: readonly string[]): Row {
  if (value === undefined) return { line, cells: [], defect: tooLong() };
  const members = objectIn(value);
  if (!members) return { line, cells: [value], defect: noObject(value) };
  const cellDefects = new Map<number, Defect>();
  const cells = columns.map((column, place) => {
    const cell = Object.hasOwn(members, column) ? members[column] : null;
    if (cell === null) return "";
    if (typeof cell === "object") cellDefects.set(place, nested(column));
    if (typeof cell === "number" && Number.isInteger(cell) && !Number.isSafeInteger(cell))
      cellDefects.set(place, inexact(column));
    return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
  });
  return { line, cells, cellDefects };
}

function noObject(value: string): Defect {
  try {
    JSON.parse(value);
    return {
      code: "json_not_object",
      detail: `The line is JSON, but not an object: ${quote(value)}.`,
      fix: 'Use one object per line, such as {"file": "a.wav", "agent_email": "ann@example.com", "time": 1714557600}.',
    };
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/,? ?"[\s\S]*$/, "") : "";
    return {
      code: "json_broken",
      detail: `The line is not valid JSON (${why}).`,
      fix: "Use one object per line, with double quotes and no trailing comma.",
    };
  }
}

const nested = (column: string): Defect => ({
  code: "json_value_nested",
  detail: `The member ${quote(column)} is an object or an array, not a single value.`,
  fix: `Use separate members, such as ${quote(`${column}_name`)}.`,
  column,
});

const inexact = (column: string): Defect => ({
  code: "json_number_inexact",
  detail: `The member ${quote(column)} is a number with too many digits to be exact.`,
  fix: "Put it in quotes.",
  column,
});

const tooWide = (name: string): Defect => ({
  code: "header_too_wide",
  detail: `The objects in ${name} have more than ${maxKeys} different members.`,
  fix: "Give all objects the same members, and remove unneeded ones.",
});
