import { createWriteStream, mkdirSync, openSync, type WriteStream } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { failureColumns, isFailureColumn } from "../manifest/failure-columns.ts";
import type { Explanation } from "./explain-failure.ts";

export interface FailuresOptions {
  readonly folder: string;
  /** Prefix of the file name. */
  readonly name: string;
  /** Columns of the manifest, so that the fixed file can be imported as a manifest. */
  readonly columns: readonly string[];
  /** Separator of the manifest. */
  readonly separator?: string | undefined;
}

/** A row that was not imported. */
export interface FailedRow {
  readonly line: number;
  readonly file: string;
  readonly cells: readonly string[];
  /** At least one. */
  readonly problems: readonly Explanation[];
}

/**
 * CSV file of the rows that failed, one record per row so that the fixed file can be imported. A cell lists several
 * problems on one line each.
 * Every run writes a new file, so a file that a user is editing is never overwritten.
 */
export function openFailures({ folder, name, columns, separator = "," }: FailuresOptions) {
  const file = join(folder, `${name}-${timeInName()}.csv`);
  // Drop the columns of an earlier failures file: they are outdated.
  const kept = columns.flatMap((name, at) => (isFailureColumn(name) ? [] : [at]));
  const toRow = (cells: readonly string[]) => `${cells.map((cell) => quoted(cell, separator)).join(separator)}\r\n`;
  let stream: WriteStream | undefined;

  function begin(): WriteStream {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const opened = createWriteStream(file, { fd: openSync(file, "wx", 0o600) });
    // close() reports write errors. Until then they must not crash the process.
    opened.on("error", () => {});
    const named = columns.length > 0 ? kept.map((at) => columns[at] ?? "") : ["file"];
    // The byte order mark tells spreadsheets that the file is UTF-8.
    opened.write(`\ufeff${toRow([...named, ...failureColumns])}`);
    return opened;
  }

  function ownCells({ problems, file, cells }: FailedRow): readonly string[] {
    if (columns.length === 0) return [file];
    // Do not pad the row: it must stay invalid when the file is imported.
    if (problems.some(({ code }) => code === "row_too_few_cells")) return cells;
    return [...kept.map((at) => cells[at] ?? ""), ...cells.slice(columns.length)];
  }

  return {
    /** Path of the file. It exists only if there are failures. */
    file,
    add(row: FailedRow): void {
      const listed = (member: keyof Explanation) => row.problems.map((problem) => problem[member]).join("\n");
      stream ??= begin();
      stream.write(toRow([...ownCells(row), String(row.line), listed("code"), listed("reason"), listed("fix")]));
    },
    /** Returns the path; undefined if there were no failures. Idempotent. */
    async close(): Promise<string | undefined> {
      if (!stream) return undefined;
      stream.end();
      await finished(stream);
      return file;
    },
  };
}

export type Failures = ReturnType<typeof openFailures>;

/** "20261115-140233-042": sortable and unique. */
const timeInName = () =>
  new Date().toISOString().replace(/^(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)\.(\d+)Z$/, "$1$2$3-$4$5$6-$7");

function quoted(cell: string, separator: string): string {
  const plain = !/["\r\n]|^\s|\s$/.test(cell) && !cell.includes(separator);
  return plain ? cell : `"${cell.replaceAll('"', '""')}"`;
}
