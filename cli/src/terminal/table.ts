import type { Output, Style } from "./style.ts";
import { sanitize, textWidth, truncateText } from "./text-width.ts";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  /** Minimum width when truncated. Without it, the column is never truncated. */
  readonly minWidth?: number;
  readonly right?: boolean;
  readonly paint?: (text: string, row: Row) => string;
  /** If there is no room, columns with the highest rank are dropped first. 0 (default): never dropped. */
  readonly rank?: number;
}

const gap = 2;

/** Width of the terminal; undefined (no limit) for a file or a terminal of unknown size. */
export const tableWidth = ({ isTTY, columns }: Output) => (isTTY && columns ? columns : undefined);

interface Shown<Row> {
  readonly column: Column<Row>;
  readonly width: number;
}

/** A table with column widths computed from the first rows. More rows can follow. */
export interface Table<Row> {
  readonly head: string;
  lines(rows: readonly Row[]): string[];
}

/** Computes the column widths. Truncates and drops columns to fit `width`. */
export function layOutTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { width, style }: { width: number | undefined; style: Style },
): Table<Row> {
  const natural = columns.map((column) => ({
    column,
    width: rows.reduce((max, row) => Math.max(max, textWidth(sanitize(column.cell(row)))), textWidth(column.title)),
  }));
  const shown = width === undefined ? natural : shrinkColumns(selectColumns(natural, width), width);
  const line = (text: (column: Column<Row>) => string, paint: (text: string, column: Column<Row>) => string) =>
    shown
      .map(({ column, width: columnWidth }, at) => {
        const whole = text(column);
        const fitting = width === undefined ? whole : truncateText(whole, columnWidth);
        const blank = " ".repeat(Math.max(0, columnWidth - textWidth(fitting)));
        const painted = paint(fitting, column);
        if (column.right) return blank + painted;
        // No padding after the last column.
        return at === shown.length - 1 ? painted : painted + blank;
      })
      .join(" ".repeat(gap));
  return {
    head: line(({ title }) => title, style.bold),
    lines: (more) =>
      more.map((row) =>
        line(
          ({ cell }) => sanitize(cell(row)),
          (text, { paint }) => paint?.(text, row) ?? text,
        ),
      ),
  };
}

const minWidth = <Row>({ column, width }: Shown<Row>) => Math.min(width, column.minWidth ?? width);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const gaps = (columns: number) => gap * (columns - 1);

/** Selects columns by rank until the width is used up, and returns them in their order. */
function selectColumns<Row>(columns: readonly Shown<Row>[], width: number): readonly Shown<Row>[] {
  const chosen = new Set<Shown<Row>>();
  for (const column of columns.toSorted((a, b) => (a.column.rank ?? 0) - (b.column.rank ?? 0))) {
    const needed = sum([...chosen, column].map(minWidth)) + gaps(chosen.size + 1);
    if (needed <= width || (column.column.rank ?? 0) === 0) chosen.add(column);
  }
  return columns.filter((column) => chosen.has(column));
}

/** Narrows the widest shrinkable column by one until all columns fit. */
function shrinkColumns<Row>(columns: readonly Shown<Row>[], width: number): readonly Shown<Row>[] {
  const over = sum(columns.map((column) => column.width)) + gaps(columns.length) - width;
  const widest = columns.filter((column) => column.width > minWidth(column)).toSorted((a, b) => b.width - a.width)[0];
  if (over <= 0 || !widest) return columns;
  const narrower = columns.map((column) => (column === widest ? { ...column, width: column.width - 1 } : column));
  return shrinkColumns(narrower, width);
}
