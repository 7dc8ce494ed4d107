import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { finished } from "node:stream/promises";
import type { ImportFailure } from "./tally.ts";

/** Columns that begin so are ours: whoever reads a manifest passes over them. */
export const ownColumnPrefix = "hearback_";
const ownColumns = ["line", "code", "reason", "fix"].map((name) => `${ownColumnPrefix}${name}`);

export interface FailuresOptions {
  readonly file: string;
  /** The manifest's own, so that the file can be mended and given as a manifest again. */
  readonly columns: readonly string[];
  readonly separator?: string;
}

/**
 * A file of the rows that were not imported, written while they come. It has its name when it is closed: the manifest
 * that is being read may be the file of the failures before.
 */
export function openFailures({ file, columns, separator = "," }: FailuresOptions) {
  const partial = `${file}.part`;
  // A file of failures that is fed back has ours already: what they said is no longer so.
  const kept = columns.flatMap((name, at) => (name.startsWith(ownColumnPrefix) ? [] : [at]));
  const own = (cells: readonly string[], file: string) =>
    columns.length > 0 ? kept.map((at) => cells[at] ?? "") : [file];
  const stream = createWriteStream(partial, { mode: 0o600 });
  // Heard of when it is closed; until then it must not end the process.
  stream.on("error", () => {});
  const row = (cells: readonly string[]) => `${cells.map((cell) => quoted(cell, separator)).join(separator)}\r\n`;
  stream.write(row([...own(columns, "file"), ...ownColumns]));
  let count = 0;
  return {
    get count() {
      return count;
    },
    add({ line, file, code, reason, fix, cells }: ImportFailure): void {
      count++;
      stream.write(row([...own(cells, file), String(line), code, reason, fix]));
    },
    /** Where the failures are; undefined: there were none. */
    async close(): Promise<string | undefined> {
      stream.end();
      await finished(stream);
      if (count > 0) await rename(partial, file);
      else await Promise.all([rm(partial, { force: true }), rm(file, { force: true })]);
      return count > 0 ? file : undefined;
    },
  };
}

export type Failures = ReturnType<typeof openFailures>;

function quoted(cell: string, separator: string): string {
  const plain = !/["\r\n]|^\s|\s$/.test(cell) && !cell.includes(separator);
  return plain ? cell : `"${cell.replaceAll('"', '""')}"`;
}
