import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { access, link, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { CommandError } from "./command-error.ts";
import { exitCodes } from "./exit-codes.ts";

interface WriteOptions {
  /** Overwrite an existing file. */
  readonly force: boolean;
  readonly signal: AbortSignal;
}

const fileExists = (file: string) =>
  new CommandError(`${file} already exists.`, {
    exitCode: exitCodes.usage,
    code: "file_exists",
    fix: "Use another name, or add --force to overwrite it.",
  });

/** Fails early, before any request is sent. */
export async function refuseToOverwrite(file: string, { force }: Pick<WriteOptions, "force">): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists && !force) throw fileExists(file);
}

/** Writes a file atomically: to a temporary name first, then renamed. */
export async function writeFileAtomically(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  { force, signal }: WriteOptions,
): Promise<void> {
  const partial = join(dirname(file), `.${basename(file)}.${randomUUID().slice(0, 8)}.part`);
  const writing = createWriteStream(partial, { flags: "wx" });
  try {
    await pipeline(bytes, writing, { signal });
    if (force) await rename(partial, file);
    // link fails if the name exists; rename would overwrite it.
    else await link(partial, file);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "EEXIST" ? fileExists(file) : error;
  } finally {
    // The stream may still be opening the file.
    if (!writing.closed) await new Promise<void>((resolve) => writing.once("close", resolve));
    await rm(partial, { force: true });
  }
}
