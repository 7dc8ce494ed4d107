import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { access, link, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { CommandError } from "./command-error.ts";
import { exitCodes } from "./exit-codes.ts";

interface WriteOptions {
  /** Write over a file that is there. */
  readonly force: boolean;
  readonly signal: AbortSignal;
}

const thereAlready = (file: string) =>
  new CommandError(`${file} is there already.`, {
    exitCode: exitCodes.usage,
    code: "file_exists",
    fix: "Give another name with -o, or --force to write over it.",
  });

/** Refuses before anything is asked of the service. */
export async function refuseToOverwrite(file: string, { force }: Pick<WriteOptions, "force">): Promise<void> {
  const there = await access(file).then(
    () => true,
    () => false,
  );
  if (there && !force) throw thereAlready(file);
}

/** Writes a file whole or not at all: until its last byte is there it has another name. */
export async function writeWholeFile(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  { force, signal }: WriteOptions,
): Promise<void> {
  const partial = join(dirname(file), `.${basename(file)}.${randomUUID().slice(0, 8)}.part`);
  const writing = createWriteStream(partial, { flags: "wx" });
  try {
    await pipeline(bytes, writing, { signal });
    if (force) await rename(partial, file);
    // A link fails where a name is taken; a rename would take it.
    else await link(partial, file);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "EEXIST" ? thereAlready(file) : error;
  } finally {
    // What broke off at once may still be about to be opened.
    if (!writing.closed) await new Promise<void>((resolve) => writing.once("close", resolve));
    await rm(partial, { force: true });
  }
}
