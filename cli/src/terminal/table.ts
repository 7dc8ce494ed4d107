import type { Output, Style } from "./style.ts";
import { fitText, harmless, textWidth } from "./text-width.ts";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  /** It may be cut to this width; without it, it is shown whole or not at all. */
  readonly least?: number;
  readonly right?: boolean;
  readonly paint?: (text: string, row: Row) => string;
  /** Where there is no room, columns of a high rank are left out. 0, as is usual: never. */
  readonly rank?: number;
}

const gap = 2;

/** How wide a table may be; undefined: as wide as it is, for a file or a terminal that does not know its size. */
export const widthOf = ({ isTTY, columns }: Output) => (isTTY && columns ? columns : undefined);

interface Shown<Row> {
  readonly column: Column<Row>;
  readonly width: number;
}

/** A table whose columns are laid out for the rows that are known at first; more may follow. */
export interface Table<Row> {
  readonly head: string;
  lines(rows: readonly Row[]): string[];
}

/** A table that fits into the width, if there is one. */
export function layOut<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { width, style }: { width: number | undefined; style: Style },
): Table<Row> {
  const natural = columns.map((column) => ({
    column,
    width: rows.reduce((most, row) => Math.max(most, textWidth(harmless(column.cell(row)))), textWidth(column.title)),
  }));
  const shown = width === undefined ? natural : squeezed(thoseThatFit(natural, width), width);
  const line = (text: (column: Column<Row>) => string, paint: (text: string, column: Column<Row>) => string) =>
    shown
      .map(({ column, width: columnWidth }, at) => {
        const whole = text(column);
        const fitting = width === undefined ? whole : fitText(whole, columnWidth);
        const blank = " ".repeat(Math.max(0, columnWidth - textWidth(fitting)));
        const painted = paint(fitting, column);
        if (column.right) return blank + painted;
        // Nothing follows the last column, so that lines end where their text does.
        return at === shown.length - 1 ? painted : painted + blank;
      })
      .join(" ".repeat(gap));
  return {
    head: line(({ title }) => title, style.bold),
    lines: (more) =>
      more.map((row) =>
        line(
          ({ cell }) => harmless(cell(row)),
          (text, { paint }) => paint?.(text, row) ?? text,
        ),
      ),
  };
}

const least = <Row>({ column, width }: Shown<Row>) => Math.min(width, column.least ?? width);
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const gaps = (columns: number) => gap * (columns - 1);

/** Those that can be made to fit, the most important first, in their order. */
function thoseThatFit<Row>(columns: readonly Shown<Row>[], width: number): readonly Shown<Row>[] {
  const chosen = new Set<Shown<Row>>();
  for (const column of columns.toSorted((a, b) => (a.column.rank ?? 0) - (b.column.rank ?? 0))) {
    const needed = sum([...chosen, column].map(least)) + gaps(chosen.size + 1);
    if (needed <= width || (column.column.rank ?? 0) === 0) chosen.add(column);
  }
  return columns.filter((column) => chosen.has(column));
}

/** Makes columns narrower until all fit: the widest that may shrink gives first. */
function squeezed<Row>(columns: readonly Shown<Row>[], width: number): readonly Shown<Row>[] {
  const over = sum(columns.map((column) => column.width)) + gaps(columns.length) - width;
  const giving = columns.filter((column) => column.width > least(column)).toSorted((a, b) => b.width - a.width)[0];
  if (over <= 0 || !giving) return columns;
  const narrower = columns.map((column) => (column === giving ? { ...column, width: column.width - 1 } : column));
  return squeezed(narrower, width);
}
