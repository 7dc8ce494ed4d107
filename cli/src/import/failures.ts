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
  const named = columns.length > 0 ? columns : ["file"];
  const stream = createWriteStream(partial, { mode: 0o600 });
  // Heard of when it is closed; until then it must not end the process.
  stream.on("error", () => {});
  const row = (cells: readonly string[]) => `${cells.map((cell) => quoted(cell, separator)).join(separator)}\r\n`;
  stream.write(row([...named, ...ownColumns]));
  let count = 0;
  let published = false;
  let closed: Promise<string | undefined> | undefined;

  async function end(): Promise<string | undefined> {
    stream.end();
    await finished(stream);
    await publish();
    if (count === 0) await Promise.all([rm(partial, { force: true }), rm(file, { force: true })]);
    return count > 0 ? file : undefined;
  }

  async function publish(): Promise<void> {
    if (count === 0 || published) return;
    published = true;
    await rename(partial, file);
  }

  return {
    get count() {
      return count;
    },
    add({ line, file, code, reason, fix, cells }: ImportFailure): void {
      count++;
      // A row with more cells than columns keeps them all: cut to fit, it would look right when it is read again.
      const more = columns.length > 0 ? cells.slice(columns.length) : [];
      const own = columns.length > 0 ? [...named.map((_, at) => cells[at] ?? ""), ...more] : [file];
      stream.write(row([...own, String(line), code, reason, fix]));
    },
    /** Gives it its name, so that somebody can look at it while more is added. */
    publish,
    /** Where the failures are; undefined: there were none. May be called twice. */
    close(): Promise<string | undefined> {
      closed ??= end();
      return closed;
    },
  };
}

export type Failures = ReturnType<typeof openFailures>;

function quoted(cell: string, separator: string): string {
  const plain = !/["\r\n]|^\s|\s$/.test(cell) && !cell.includes(separator);
  return plain ? cell : `"${cell.replaceAll('"', '""')}"`;
}
