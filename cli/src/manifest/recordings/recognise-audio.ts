import { describeNonAudio, hasId3Tag, recogniseContainer } from "@hearback/portable/file-signature";
import { type Defect, quote } from "../finding-codes.ts";
import type { FileAccess } from "./file-access.ts";

const HEAD_BYTES = 256;
/** Files have about a dozen chunks before their audio. Beyond this limit, leave the check to the service. */
const maxChunks = 32;

interface Opened {
  readonly file: number;
  readonly bytes: number;
  /** File name as in the manifest. */
  readonly name: string;
}

/** Buffer pool: avoids allocating one buffer per file. */
const spare: Buffer[] = [];

/** Checks the first bytes: whether the format is supported, and whether a WAV is complete. */
export async function audioProblem(access: FileAccess, opened: Opened): Promise<Defect | undefined> {
  const head = spare.pop() ?? Buffer.alloc(HEAD_BYTES);
  try {
    return await headProblem(access, opened, head.subarray(0, await access.read(opened.file, head, 0)));
  } finally {
    spare.push(head);
  }
}

async function headProblem(access: FileAccess, opened: Opened, head: Buffer): Promise<Defect | undefined> {
  const container = recogniseContainer(head);
  if (container === "wav") return wavProblem(access, opened, head);
  if (container || hasId3Tag(head)) return undefined;
  const kind = describeNonAudio(head);
  return {
    code: "file_not_audio",
    detail: `The file ${quote(opened.name)} is not supported audio${kind ? `: it looks like ${kind}` : ""}.`,
    fix: "Use WAV, MP3, M4A, AAC, Ogg, FLAC, AMR, WebM or AU, or remove the row.",
  };
}

/** Walks the chunks of a WAV to its audio and compares the announced size with the actual one. */
async function wavProblem(
  access: FileAccess,
  { file, bytes, name }: Opened,
  head: Buffer,
): Promise<Defect | undefined> {
  let at = 12;
  let frameBytes = 2;
  for (let chunk = 0; chunk < maxChunks; chunk++) {
    let header = head.subarray(at, at + 24);
    if (header.length < 24 && at + header.length < bytes) {
      header = Buffer.alloc(24);
      header = header.subarray(0, await access.read(file, header, at));
    }
    if (header.length < 8) return truncated(name, "it ends before its audio");
    const id = header.toString("latin1", 0, 4);
    const size = header.readUInt32LE(4);
    if (id === "data") return audioSizeProblem(name, size, bytes - at - 8, frameBytes);
    if (id === "fmt " && header.length >= 22) frameBytes = Math.max(2, header.readUInt16LE(20));
    at += 8 + size + (size % 2);
  }
  return undefined;
}

function audioSizeProblem(name: string, announced: number, actual: number, frameBytes: number): Defect | undefined {
  if (!isPlaceholder(announced) && announced - actual >= frameBytes)
    return truncated(name, `its header announces ${announced} bytes of audio, but it has ${Math.max(0, actual)}`);
  if (actual >= frameBytes) return undefined;
  return {
    code: "file_without_audio",
    detail: `The file ${quote(name)} is a WAV header without audio.`,
    fix: "Nothing was recorded: remove the row, or use another recording.",
  };
}

/** Placeholder sizes that a recorder corrects at the end unless it is interrupted: 0, or close to a maximum. */
function isPlaceholder(size: number): boolean {
  const justBelow = (limit: number) => size <= limit && size >= limit - 4096;
  return size === 0 || justBelow(2 ** 31) || justBelow(2 ** 32);
}

const truncated = (name: string, how: string): Defect => ({
  code: "file_truncated",
  detail: `The file ${quote(name)} is truncated: ${how}.`,
  fix: "Copy it again from the phone system. The copy was interrupted, or the call was still in progress.",
});
