import { createWriteStream, mkdirSync, openSync, type WriteStream } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { isOwnColumn, ownColumns } from "../manifest/own-columns.ts";
import type { ImportFailure } from "./tally.ts";

export interface FailuresOptions {
  readonly folder: string;
  /** What its name begins with. */
  readonly name: string;
  /** The manifest's own, so that the file can be mended and given as a manifest again. */
  readonly columns: readonly string[];
  /** The manifest's own, for the program that opens it. */
  readonly separator?: string | undefined;
}

/** A file of the rows that were not imported, written while they come. Every run has its own: no mended one is ever lost. */
export function openFailures({ folder, name, columns, separator = "," }: FailuresOptions) {
  const file = join(folder, `${name}-${timeInName()}.csv`);
  // A file of failures that is fed back has ours already: what they said is no longer so.
  const kept = columns.flatMap((name, at) => (isOwnColumn(name) ? [] : [at]));
  const toRow = (cells: readonly string[]) => `${cells.map((cell) => quoted(cell, separator)).join(separator)}\r\n`;
  let stream: WriteStream | undefined;

  function begin(): WriteStream {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const opened = createWriteStream(file, { fd: openSync(file, "wx", 0o600) });
    // Heard of when it is closed; until then it must not end the process.
    opened.on("error", () => {});
    const named = columns.length > 0 ? kept.map((at) => columns[at] ?? "") : ["file"];
    // The mark at the beginning tells spreadsheets that it is UTF-8.
    opened.write(`\ufeff${toRow([...named, ...ownColumns])}`);
    return opened;
  }

  function ownCells({ code, file, cells }: ImportFailure): readonly string[] {
    if (columns.length === 0) return [file];
    // Cut or filled to fit, a row of a wrong length would look right when it is read again.
    if (code === "row_too_few_cells") return cells;
    return [...kept.map((at) => cells[at] ?? ""), ...cells.slice(columns.length)];
  }

  return {
    /** Where the failures are, if there are any. */
    file,
    add(failure: ImportFailure): void {
      const { line, code, reason, fix } = failure;
      stream ??= begin();
      stream.write(toRow([...ownCells(failure), String(line), code, reason, fix]));
    },
    /** Gives where the failures are; undefined: there were none. May be called twice. */
    async close(): Promise<string | undefined> {
      if (!stream) return undefined;
      stream.end();
      await finished(stream);
      return file;
    },
  };
}

export type Failures = ReturnType<typeof openFailures>;

/** "20261115-140233-042": in the order of time, and never twice. */
const timeInName = () =>
  new Date().toISOString().replace(/^(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)\.(\d+)Z$/, "$1$2$3-$4$5$6-$7");

function quoted(cell: string, separator: string): string {
  const plain = !/["\r\n]|^\s|\s$/.test(cell) && !cell.includes(separator);
  return plain ? cell : `"${cell.replaceAll('"', '""')}"`;
}
