import { percentile, type Samples } from "./search-measure.ts";

const p95 = (values: readonly number[]) => percentile(values, 0.95);
const median = (values: readonly number[]) => percentile(values, 0.5);

function rowsOf({ keyReads, searches }: Samples) {
  return [...searches].map(([{ name, indexed }, { big, small }]) => ({
    name,
    indexed,
    big: p95(big),
    small: p95(small),
    middle: median(big),
    ratio: p95(big) / p95(keyReads.big),
    medianRatio: median(big) / median(keyReads.big),
    growth: p95(big) / p95(small),
  }));
}

/** The worst values of searches that an index covers. */
export function toFigures(samples: Samples): { worst_ratio: number; worst_growth: number } {
  const served = rowsOf(samples).filter(({ indexed }) => indexed);
  return {
    worst_ratio: Math.max(...served.map(({ ratio }) => ratio)),
    worst_growth: Math.max(...served.map(({ growth }) => growth)),
  };
}

export function toSearchTable(samples: Samples): string {
  const { big, small } = samples.keyReads;
  const keys = { name: "50 calls by key", big: p95(big), small: p95(small), middle: median(big), indexed: true };
  const rows = [{ ...keys, ratio: 1, medianRatio: 1, growth: p95(big) / p95(small) }, ...rowsOf(samples)];
  const lines = rows.map((row) => [
    row.indexed ? row.name : `${row.name} *`,
    ...[row.big, row.small, row.ratio, row.growth, row.middle, row.medianRatio].map((value) => value.toFixed(2)),
  ]);
  const head = ["first page of", "p95 ms", "of 100,000", "ratio", "growth", "median ms", "its ratio"];
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)));
  const align = (line: string[]) =>
    line.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join("  ");
  return `\n${[head, ...lines].map(align).join("\n")}\n\n* no index covers the whole filter\n`;
}
