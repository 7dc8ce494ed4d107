import { randomUUID } from "node:crypto";
import { constants, type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Opens a temporary file and unlinks it, so that the system deletes it when the process ends. */
export async function openTemporary(): Promise<FileHandle> {
  const path = join(tmpdir(), `hearback-${randomUUID()}`);
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  await unlink(path);
  return file;
}
