import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { isOwnColumn, ownColumns } from "../manifest/own-columns.ts";
import type { ImportFailure } from "./tally.ts";

export interface FailuresOptions {
  readonly file: string;
  /** The manifest's own, so that the file can be mended and given as a manifest again. */
  readonly columns: readonly string[];
}

/**
 * A file of the rows that were not imported, written while they come. It has its name when it is closed: the manifest
 * that is being read may be the file of the failures before.
 */
export function openFailures({ file, columns }: FailuresOptions) {
  const partial = `${file}.part`;
  // A file of failures that is fed back has ours already: what they said is no longer so.
  const kept = columns.flatMap((name, at) => (isOwnColumn(name) ? [] : [at]));
  // A row with more cells than columns keeps them all: cut to fit, it would look right when it is read again.
  const own = (cells: readonly string[], file: string) =>
    columns.length > 0 ? [...kept.map((at) => cells[at] ?? ""), ...cells.slice(columns.length)] : [file];
  const stream = createWriteStream(partial, { mode: 0o600 });
  // Heard of when it is closed; until then it must not end the process.
  stream.on("error", () => {});
  const row = (cells: readonly string[]) => `${cells.map(quoted).join(",")}\r\n`;
  stream.write(row([...own(columns, "file"), ...ownColumns]));
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
      stream.write(row([...own(cells, file), String(line), code, reason, fix]));
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

function quoted(cell: string): string {
  const plain = !/[",\r\n]|^\s|\s$/.test(cell);
  return plain ? cell : `"${cell.replaceAll('"', '""')}"`;
}
