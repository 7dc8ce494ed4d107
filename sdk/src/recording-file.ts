import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Recording } from "./form.ts";

/** A recording in a file. The file is streamed, not loaded into memory. */
export async function recordingFile(path: string): Promise<Recording> {
  const { size } = await stat(path);
  // Read at most the current size, so that a growing file does not exceed the declared length.
  return {
    bytes: size,
    stream: () => createReadStream(path, { end: Math.max(size - 1, 0), highWaterMark: 256 * 1024 }),
  };
}
