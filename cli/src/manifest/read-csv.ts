import { type Defect, ManifestError, quote } from "./finding-codes.ts";
import type { TextFile } from "./open-text.ts";
import { beginsAsFailures } from "./own-columns.ts";
import type { Row, Rows } from "./rows.ts";
import { splitCsv } from "./split-csv.ts";

interface CsvOptions {
  readonly name: string;
  readonly separator?: string | undefined;
  /** The names of the columns, for a file without a line that has them. */
  readonly columns?: readonly string[] | undefined;
}

const mostColumns = 1000;
const separators = [",", ";", "\t", "|"];

/** A CSV as rows. The first line names the columns, unless the options do. */
export async function openCsv(text: TextFile, options: CsvOptions): Promise<Rows> {
  const { name, separator, columns } = beginsAsFailures(text.head) ? { name: options.name } : options;
  const announced = /^\ufeff?sep=(.)\r?\n/i.exec(text.head)?.[1];
  const between = separator ?? announced ?? likeliestSeparator(text.head);
  const first = await firstRow(text, between, announced !== undefined);
  if (!first) throw new ManifestError([noRows(name)]);
  const header = first.cells.map((cell) => cell.trim());
  const named = columns === undefined || sameNames(header, columns);
  const names = columns ?? header;
  const wrong = first.defect ?? (columns ? undefined : wrongHeader(header, name));
  if (wrong) throw new ManifestError([wrong]);
  return {
    columns: names,
    separator: between,
    read: (signal) => readRows(text, between, { columns: names, after: named ? first.line : first.line - 1, signal }),
  };
}

interface Reading {
  readonly columns: readonly string[];
  /** The last line that is no row: the header's. */
  readonly after: number;
  readonly signal: AbortSignal | undefined;
}

async function* readRows(text: TextFile, separator: string, { columns, after, signal }: Reading) {
  const csv = splitCsv(separator);
  const rows = (cut: readonly Row[]) =>
    cut
      .filter(({ line, cells, defect }) => line > after && (defect || !cells.every(isBlank)))
      .map((row) => fitted(row, columns));
  for await (const chunk of text.chunks(signal)) yield rows(csv.write(chunk));
  yield rows(csv.end());
}

async function firstRow(text: TextFile, separator: string, announced: boolean): Promise<Row | undefined> {
  const csv = splitCsv(separator);
  const fits = ({ line, cells }: Row) => !cells.every(isBlank) && !(announced && line === 1);
  for await (const chunk of text.chunks()) {
    const row = csv.write(chunk).find(fits);
    if (row) return row;
  }
  return csv.end().find(fits);
}

const isBlank = (cell: string) => cell === "" || cell.trim() === "";

/** The one that the first line has most of, outside of quotes. */
function likeliestSeparator(head: string): string {
  const line = (/^\s*([^\r\n]*)/.exec(head)?.[1] ?? "").replace(/"(?:[^"]|"")*"/g, "");
  const counts = separators.map((sign) => line.split(sign).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ",";
}

const sameNames = (header: readonly string[], columns: readonly string[]) =>
  header.length === columns.length && header.every((cell, at) => cell.toLowerCase() === columns[at]?.toLowerCase());

function wrongHeader(header: readonly string[], name: string): Defect | undefined {
  const value = header.find((cell) => /@.+\.|\.(wav|mp3|m4a|aac|ogg|opus|flac|amr|webm|au|gsm)$/i.test(cell));
  if (value)
    return {
      code: "header_missing",
      detail: `The first line of ${name} has no names of columns: ${quote(value)} is a value.`,
      fix: 'Put a line with the names of the columns first, or name them in a mapping file: "columns": ["file", "agent_email", …].',
    };
  if (header.length > mostColumns)
    return {
      code: "header_too_wide",
      detail: `${name} has ${header.length} columns; ${mostColumns} are the most.`,
      fix: "Leave out what is not needed; if there are no lines in it, check the ends of lines.",
    };
  const twice = header.find((cell, at) => cell !== "" && header.indexOf(cell) !== at);
  if (twice === undefined) return undefined;
  const places = header.flatMap((cell, at) => (cell === twice ? [at + 1] : []));
  return {
    code: "header_repeated",
    detail: `${places.length} columns have the name ${quote(twice)}: number ${places.join(" and ")}.`,
    fix: "Give each column a name of its own in the first line.",
    column: twice,
  };
}

const noRows = (name: string): Defect => ({
  code: "manifest_empty",
  detail: `${name} has nothing but empty lines.`,
  fix: "Export it again; it needs a line with the names of the columns and one line for each call.",
});

function fitted(row: Row, columns: readonly string[]): Row {
  const { line, cells } = row;
  if (row.defect || cells.length === columns.length) return row;
  if (cells.length > columns.length && cells.slice(columns.length).every(isBlank))
    return { line, cells: cells.slice(0, columns.length) };
  const few = cells.length < columns.length;
  const defect: Defect = {
    code: few ? "row_too_few_cells" : "row_too_many_cells",
    detail: `The row has ${cells.length} cells, and there are ${columns.length} columns.`,
    fix: few
      ? "Add what is missing (empty cells count), or look for a quote that is not closed."
      : "Put cells in quotes that contain the separator, or remove what is too much.",
  };
  return { line, cells, defect };
}
