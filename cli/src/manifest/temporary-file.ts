import { randomUUID } from "node:crypto";
import { constants, type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** For what comes once and is read several times. Its name is removed at once: nobody else reads it, and it ends with us. */
export async function openTemporary(): Promise<FileHandle> {
  const path = join(tmpdir(), `hearback-${randomUUID()}`);
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  await unlink(path);
  return file;
}
