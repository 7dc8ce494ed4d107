import { pluralize } from "../../terminal/units.ts";
import { isFailuresFile } from "../failure-columns.ts";
import { type Defect, ManifestError, quote } from "../finding-codes.ts";
import type { TextFile } from "./open-text.ts";
import type { Row, Rows } from "./rows.ts";
import { splitCsv } from "./split-csv.ts";

interface CsvOptions {
  readonly name: string;
  readonly separator?: string | undefined;
  /** Column names, for a file without a header. */
  readonly columns?: readonly string[] | undefined;
}

const maxColumns = 1000;
const separators = [",", ";", "\t", "|"];

/** Opens a CSV as rows. The first line is the header, unless the options name the columns. */
export async function openCsv(text: TextFile, options: CsvOptions): Promise<Rows> {
  const { name, separator, columns } = isFailuresFile(text.head) ? { name: options.name } : options;
  const announced = /^\ufeff?sep=(.)\r?\n/i.exec(text.head)?.[1];
  const delimiter = separator ?? announced ?? likeliestSeparator(text.head);
  const first = await firstRow(text, delimiter, announced !== undefined);
  if (!first) throw new ManifestError([noRows(name)]);
  const header = first.cells.map((cell) => cell.trim());
  const named = columns === undefined || sameNames(header, columns);
  const names = columns ?? header;
  const wrong = first.defect ?? (columns ? undefined : wrongHeader(header, name));
  if (wrong) throw new ManifestError([wrong]);
  return {
    columns: names,
    separator: delimiter,
    read: (signal) => readRows(text, delimiter, { columns: names, after: named ? first.line : first.line - 1, signal }),
  };
}

interface Reading {
  readonly columns: readonly string[];
  /** Line of the header: rows start after it. */
  readonly after: number;
  readonly signal: AbortSignal | undefined;
}

async function* readRows(text: TextFile, separator: string, { columns, after, signal }: Reading) {
  const csv = splitCsv(separator);
  const rows = (cut: readonly Row[]) =>
    cut
      .filter(({ line, cells, defect }) => line > after && (defect || !cells.every(isBlank)))
      .map((row) => fitRow(row, columns));
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

/** The most frequent separator in the first line, outside of quotes. */
function likeliestSeparator(head: string): string {
  const line = (/^\s*([^\r\n]*)/.exec(head)?.[1] ?? "").replace(/"(?:[^"]|"")*"/g, "");
  const counts = separators.map((separator) => line.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ",";
}

const sameNames = (header: readonly string[], columns: readonly string[]) =>
  header.length === columns.length && header.every((cell, at) => cell.toLowerCase() === columns[at]?.toLowerCase());

function wrongHeader(header: readonly string[], name: string): Defect | undefined {
  const value = header.find((cell) => /@.+\.|\.(wav|mp3|m4a|aac|ogg|opus|flac|amr|webm|au|gsm)$/i.test(cell));
  if (value)
    return {
      code: "header_missing",
      detail: `The first line of ${name} is not a header: ${quote(value)} is a value.`,
      fix: 'Add a header line with the column names, or set them in a mapping file: "columns": ["file", "agent_email", …].',
    };
  if (header.length > maxColumns)
    return {
      code: "header_too_wide",
      detail: `${name} has ${header.length} columns; the maximum is ${maxColumns}.`,
      fix: "Remove unneeded columns. If the file is one long line, check its line endings.",
    };
  const repeated = header.find((cell, at) => cell !== "" && header.indexOf(cell) !== at);
  if (repeated === undefined) return undefined;
  const places = header.flatMap((cell, at) => (cell === repeated ? [at + 1] : []));
  return {
    code: "header_repeated",
    detail: `${places.length} columns are named ${quote(repeated)}: columns ${places.join(" and ")}.`,
    fix: "Give each column a unique name in the header.",
    column: repeated,
  };
}

const noRows = (name: string): Defect => ({
  code: "manifest_empty",
  detail: `${name} contains only empty lines.`,
  fix: "Export it again. It needs a header line and one line per call.",
});

function fitRow(row: Row, columns: readonly string[]): Row {
  const { line, cells } = row;
  if (row.defect || cells.length === columns.length) return row;
  if (cells.length > columns.length && cells.slice(columns.length).every(isBlank))
    return { line, cells: cells.slice(0, columns.length) };
  const few = cells.length < columns.length;
  const defect: Defect = {
    code: few ? "row_too_few_cells" : "row_too_many_cells",
    detail: `The row has ${pluralize(cells.length, "cell")} instead of ${columns.length}.`,
    fix: few
      ? "Add the missing cells (empty cells count), or look for an unclosed quote."
      : "Quote cells that contain the separator, or remove the extra cells.",
  };
  return { line, cells, defect };
}
