import { stdout } from "node:process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Prints a value as one JSON text with `--json`, as words otherwise. */
export function print(value: unknown, words: string, json: boolean | undefined): void {
  stdout.write(json ? `${JSON.stringify(value)}\n` : `${words}\n`);
}

/** Rows under their headings, as wide as they need to be. */
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

/** A count that grows on one line of a terminal, and stays silent in a log file. */
export function progress(label: string): (count: number) => void {
  if (!process.stderr.isTTY) return () => {};
  return (count) => process.stderr.write(`\r${label} ${count.toLocaleString("en")} `);
}

/** Writes a file to standard output while it is made, as fast as it is taken. */
export async function writeOut(chunks: AsyncIterable<string>): Promise<void> {
  await pipeline(Readable.from(chunks, { objectMode: false }), stdout, { end: false });
}
