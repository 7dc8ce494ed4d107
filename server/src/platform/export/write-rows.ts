import { type Cell, toCsvLine } from "./csv.ts";
import { withSteadyHeap } from "./steady-heap.ts";

/** How rows of one kind are written. */
export interface Sheet<Row> {
  readonly columns: readonly string[];
  readonly toCells: (row: Row) => readonly Cell[];
  /** What stands on a line of JSON. */
  readonly toBody: (row: Row) => unknown;
}

export interface Page<Row, Cursor> {
  readonly rows: readonly Row[];
  /** Where to go on; absent: that was all. */
  readonly next: Cursor | undefined;
}

export interface ExportOptions {
  readonly format: "csv" | "jsonl";
  readonly separator: "," | ";";
  /** Whether a CSV file begins with a byte order mark. */
  readonly bom: boolean;
}

// Some milliseconds of work: the process answers others between two pages.
const most = 250;
const targetLength = 256 * 1024;

/**
 * Writes rows as they are read, a page at a time: however many there are, no more than a page is held. Pages of long
 * rows become shorter.
 */
export function writeRows<Row, Cursor>(
  sheet: Sheet<Row>,
  { format, separator, bom }: ExportOptions,
  read: (after: Cursor | undefined, limit: number) => Promise<Page<Row, Cursor>>,
): AsyncGenerator<string> {
  const toLine =
    format === "csv"
      ? (row: Row) => toCsvLine(sheet.toCells(row), separator)
      : (row: Row) => `${toJsonLine(sheet.toBody(row))}\n`;
  let head = format === "csv" ? `${bom ? "\ufeff" : ""}${toCsvLine(sheet.columns, separator)}` : "";
  let limit = 50;
  let after: Cursor | undefined;
  let done = false;
  return withSteadyHeap(async () => {
    if (done) return undefined;
    const { rows, next } = await read(after, limit);
    after = next;
    done = next === undefined;
    const lines = rows.map(toLine).join("");
    if (rows.length > 0) limit = Math.max(10, Math.min(most, Math.floor((targetLength * rows.length) / lines.length)));
    const text = head + lines;
    head = "";
    return text;
  });
}

/** Characters that some readers of lines take for the end of one, and that JSON does not escape. */
const lineEnds = /[\u0085\u2028\u2029]/g;
const toJsonLine = (body: unknown) =>
  JSON.stringify(body).replace(lineEnds, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`);
