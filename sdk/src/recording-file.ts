import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Recording } from "./form.ts";

/** A recording in a file, read while it is sent. */
export async function recordingFile(path: string): Promise<Recording> {
  const { size } = await stat(path);
  // Not further than its size of now: a file that still grows must not break the form.
  return {
    bytes: size,
    stream: () => createReadStream(path, { end: Math.max(size - 1, 0), highWaterMark: 256 * 1024 }),
  };
}
