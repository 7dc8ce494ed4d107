import { stdout } from "node:process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Prints the value as JSON with `--json`, and the text otherwise. */
export function print(value: unknown, text: string, json: boolean | undefined): void {
  stdout.write(json ? `${JSON.stringify(value)}\n` : `${text}\n`);
}

/** A count with its noun: "1 call", "1,200 calls". */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** Formats rows as a table with aligned columns. */
export function table(headings: string[], rows: string[][], empty: string): string {
  if (rows.length === 0) return empty;
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [headings, ...rows].map(line).join("\n");
}

/** Shows a running count on a terminal. Prints nothing if stderr is not a terminal. */
export function progress(label: string): (count: number) => void {
  if (!process.stderr.isTTY) return () => {};
  return (count) => process.stderr.write(`\r${label} ${count.toLocaleString("en")} `);
}

/** Streams chunks to standard output, with backpressure. */
export async function writeOut(chunks: AsyncIterable<string>): Promise<void> {
  await pipeline(Readable.from(chunks, { objectMode: false }), stdout, { end: false });
}
