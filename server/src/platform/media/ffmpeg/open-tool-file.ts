import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** Opens a tool's output file. Rejects symbolic links, pipes and anything else that is not a regular file. */
export async function openToolFile(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error("the tool's output is not a regular file");
}
