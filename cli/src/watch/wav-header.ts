import { open } from "node:fs/promises";

const headBytes = 36;

/**
 * Whether the length in a WAV file's header is that of the file. Recorders write the header first and the length last,
 * so one that does not agree is probably still being written. Other files have no such header: yes.
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
  // Above 4 GiB the length stands in a chunk of its own.
  if ((form === "RF64" || form === "BW64") && head.toString("latin1", 12, 16) === "ds64" && head.length >= 28)
    return agrees(Number(head.readBigUInt64LE(20)), bytes);
  return true;
}

// Some recorders forget the byte that makes an odd length even, others do not count it.
const agrees = (said: number, bytes: number) => Math.abs(said + 8 - bytes) <= 1;
