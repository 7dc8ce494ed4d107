import type { ReactNode } from "react";

export interface ChartCell {
  readonly text: string;
  /** For the CSV file, if it differs from the text. null: empty. */
  readonly value?: string | number | null;
  /** Shown instead of the text, such as a link. */
  readonly node?: ReactNode;
}

interface ChartColumn {
  readonly title: string;
  readonly numeric?: boolean;
}

/** The numbers of a chart. The first column names the row. */
export interface ChartTable {
  readonly columns: readonly ChartColumn[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ChartCell[] }[];
}

/** CSV (RFC 4180) of the table. */
export function toCsv({ columns, rows }: ChartTable): string {
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map(({ cells }) => cells.map(({ text, value }) => (value === undefined ? text : value))),
  ];
  return lines.map((line) => `${line.map(field).join(",")}\r\n`).join("");
}

function field(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  // Spreadsheets run cells that begin like this as formulas.
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
