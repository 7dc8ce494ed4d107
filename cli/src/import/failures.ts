import { createWriteStream, mkdirSync, openSync, type WriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { finished } from "node:stream/promises";
import { isOwnColumn, ownColumns } from "../manifest/own-columns.ts";
import type { ImportFailure } from "./tally.ts";

export interface FailuresOptions {
  readonly file: string;
  /** The manifest's own, so that the file can be mended and given as a manifest again. */
  readonly columns: readonly string[];
}

/**
 * A file of the rows that were not imported, written while they come. Until it is published, the one of the run before
 * stays as it is: somebody may be mending it, or it may be the manifest.
 */
export function openFailures({ file, columns }: FailuresOptions) {
  const partial = `${file}.${process.pid}.part`;
  // A file of failures that is fed back has ours already: what they said is no longer so.
  const kept = columns.flatMap((name, at) => (isOwnColumn(name) ? [] : [at]));
  let stream: WriteStream | undefined;
  let published = false;
  let count = 0;

  function begin(): WriteStream {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const opened = createWriteStream(partial, { fd: openSync(partial, "w", 0o600) });
    // Heard of when it is closed; until then it must not end the process.
    opened.on("error", () => {});
    const named = columns.length > 0 ? kept.map((at) => columns[at] ?? "") : ["file"];
    opened.write(toRow([...named, ...ownColumns]));
    return opened;
  }

  function ownCells({ code, file, cells }: ImportFailure): readonly string[] {
    if (columns.length === 0) return [file];
    // Cut or filled to fit, a row of a wrong length would look right when it is read again.
    if (code === "row_too_few_cells") return cells;
    return [...kept.map((at) => cells[at] ?? ""), ...cells.slice(columns.length)];
  }

  async function publish(): Promise<void> {
    if (!stream || published) return;
    published = true;
    await rename(partial, file);
  }

  return {
    add(failure: ImportFailure): void {
      const { line, code, reason, fix } = failure;
      count++;
      stream ??= begin();
      stream.write(toRow([...ownCells(failure), String(line), code, reason, fix]));
    },
    /** Gives it its name; more may be added. */
    publish,
    /** Where the failures are; undefined: there were none. The file before goes if this run saw all rows. */
    async close({ sawAll }: { sawAll: boolean }): Promise<string | undefined> {
      stream?.end();
      if (stream) await finished(stream);
      await publish();
      if (count === 0 && sawAll) await rm(file, { force: true });
      return count > 0 ? file : undefined;
    },
    /** Leaves the file before as it is. */
    async discard(): Promise<void> {
      stream?.destroy();
      if (stream && !published) await rm(partial, { force: true });
    },
  };
}

export type Failures = ReturnType<typeof openFailures>;

const toRow = (cells: readonly string[]) => `${cells.map(quoted).join(",")}\r\n`;

function quoted(cell: string): string {
  const plain = !/[",\r\n]|^\s|\s$/.test(cell);
  return plain ? cell : `"${cell.replaceAll('"', '""')}"`;
}
