import { open } from "node:fs/promises";

const headBytes = 36;

/**
 * Whether the length in a WAV header matches the file size. Recorders write the length last, so a mismatch means that the
 * file is probably still being written. Returns true for other formats.
 */
export async function headerAgrees(path: string, bytes: number): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return lengthAgrees(buffer.subarray(0, bytesRead), bytes);
  } finally {
    await file.close();
  }
}

export function lengthAgrees(head: Buffer, bytes: number): boolean {
  if (head.length < 12 || head.toString("latin1", 8, 12) !== "WAVE") return true;
  const form = head.toString("latin1", 0, 4);
  if (form === "RIFF") return agrees(head.readUInt32LE(4), bytes);
  // Files above 4 GiB store the length in a ds64 chunk.
  if ((form === "RF64" || form === "BW64") && head.toString("latin1", 12, 16) === "ds64" && head.length >= 28)
    return agrees(Number(head.readBigUInt64LE(20)), bytes);
  return true;
}

// Some recorders omit the padding byte of an odd length, others do not count it.
const agrees = (declared: number, bytes: number) => Math.abs(declared + 8 - bytes) <= 1;
