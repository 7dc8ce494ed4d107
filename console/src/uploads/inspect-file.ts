import { describeNonAudio, hasId3Tag, recogniseContainer } from "@hearback/portable/file-signature";

/** Result of the check before upload. */
export interface FileInspection {
  readonly fault?: "empty" | "not_audio" | "unreadable";
  /** From the header, for WAV only. */
  readonly durationMs?: number;
}

const headBytes = 4096;

/** Detects empty files and files that are not audio by content, not by name. */
export async function inspectFile(file: Blob): Promise<FileInspection> {
  if (file.size === 0) return { fault: "empty" };
  try {
    const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
    // Everything that is not recognised is left to the server.
    if (!recogniseContainer(head) && !hasId3Tag(head) && describeNonAudio(head)) return { fault: "not_audio" };
    const durationMs = wavDuration(head, file.size);
    return durationMs === undefined ? {} : { durationMs };
  } catch {
    return { fault: "unreadable" };
  }
}

/** Duration from the RIFF header. Interrupted recorders leave the data length at 0. */
function wavDuration(head: Uint8Array, fileBytes: number): number | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const name = (at: number) => String.fromCharCode(...head.subarray(at, at + 4));
  if (head.length < 44 || name(0) !== "RIFF" || name(8) !== "WAVE") return undefined;
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= head.length; ) {
    const bytes = view.getUint32(at + 4, true);
    if (name(at) === "fmt " && at + 20 <= head.length) bytesPerSecond = view.getUint32(at + 16, true);
    if (name(at) === "data") {
      const there = fileBytes - at - 8;
      const said = bytes === 0 || bytes > there ? there : bytes;
      return bytesPerSecond > 0 ? Math.round((said / bytesPerSecond) * 1000) : undefined;
    }
    at += 8 + bytes + (bytes % 2);
  }
  return undefined;
}
