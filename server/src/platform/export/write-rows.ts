import { withBoundedHeap } from "../memory/bounded-heap.ts";
import { type Cell, toCsvLine } from "./csv.ts";

/** Column definitions of an export. */
export interface Sheet<Row> {
  readonly columns: readonly string[];
  readonly toCells: (row: Row) => readonly Cell[];
  /** The row as a JSON object. */
  readonly toBody: (row: Row) => unknown;
}

export interface Page<Row, Cursor> {
  readonly rows: readonly Row[];
  /** Cursor of the next page. Undefined: last page. */
  readonly next: Cursor | undefined;
}

/** Adds to rows what is too large to read for a whole page. */
export type CompleteRows<Row> = (rows: readonly Row[]) => Promise<readonly Row[]>;

export interface ExportOptions {
  readonly format: "csv" | "jsonl";
  readonly separator: "," | ";";
  /** Whether a CSV file starts with a byte order mark. */
  readonly bom: boolean;
}

// Takes a few milliseconds; other requests are served between two pages.
const maxRows = 250;
const targetLength = 256 * 1024;
/** Rows that are completed at a time. */
const completedRows = 8;

/**
 * Writes rows page by page, so that only one page is in memory. The page size adapts to the length of the rows. With `complete`,
 * a few rows of a page at a time are completed and written.
 */
export function writeRows<Row, Cursor>(
  sheet: Sheet<Row>,
  { format, separator, bom }: ExportOptions,
  read: (after: Cursor | undefined, limit: number) => Promise<Page<Row, Cursor>>,
  complete?: CompleteRows<Row>,
): AsyncGenerator<string> {
  const toLine =
    format === "csv"
      ? (row: Row) => toCsvLine(sheet.toCells(row), separator)
      : (row: Row) => `${toJsonLine(sheet.toBody(row))}\n`;
  let head = format === "csv" ? `${bom ? "\ufeff" : ""}${toCsvLine(sheet.columns, separator)}` : "";
  let limit = 50;
  let after: Cursor | undefined;
  let done = false;
  let incomplete: readonly Row[] = [];
  const readRows = async () => {
    if (incomplete.length === 0) {
      const { rows, next } = await read(after, limit);
      after = next;
      done = next === undefined;
      if (!complete) return rows;
      incomplete = rows;
    }
    const some = incomplete.slice(0, completedRows);
    incomplete = incomplete.slice(completedRows);
    return (await complete?.(some)) ?? some;
  };
  return withBoundedHeap(async () => {
    if (done && incomplete.length === 0) return undefined;
    const rows = await readRows();
    const lines = rows.map(toLine).join("");
    if (rows.length > 0)
      limit = Math.max(10, Math.min(maxRows, Math.floor((targetLength * rows.length) / lines.length)));
    const text = head + lines;
    head = "";
    return text;
  });
}

/** Characters that JSON does not escape but some line readers treat as line ends. */
const lineEnds = /[\u0085\u2028\u2029]/g;
const toJsonLine = (body: unknown) =>
  JSON.stringify(body).replace(lineEnds, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`);
