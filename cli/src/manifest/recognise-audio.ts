import type { FileAccess } from "./file-access.ts";
import { type Defect, quote } from "./finding-codes.ts";

const HEAD_BYTES = 256;
/** Files have a dozen chunks before their audio at most; what is behind more is left to the service to see. */
const mostChunks = 32;

interface Opened {
  readonly file: number;
  readonly bytes: number;
  /** As the manifest names it. */
  readonly name: string;
}

/** Buffers that are free again: one of its own for each of a million files keeps the garbage collector busy. */
const spare: Buffer[] = [];

/** Looks at the first bytes: whether it is audio of a kind the service takes, and whether a WAV is all there. */
export async function audioProblem(access: FileAccess, opened: Opened): Promise<Defect | undefined> {
  const head = spare.pop() ?? Buffer.alloc(HEAD_BYTES);
  try {
    return await headProblem(access, opened, head.subarray(0, await access.read(opened.file, head, 0)));
  } finally {
    spare.push(head);
  }
}

async function headProblem(access: FileAccess, opened: Opened, head: Buffer): Promise<Defect | undefined> {
  const start = head.toString("latin1", 0, 16);
  if (/^(RIFF|RF64|BW64)/.test(start) && start.slice(8, 12) === "WAVE") return wavProblem(access, opened, head);
  if (isKnown(head, start)) return undefined;
  const looks = foreign.find(([fits]) => fits(start))?.[1];
  return {
    code: "file_not_audio",
    detail: `The file ${quote(opened.name)} is no audio that the service takes${looks ? `: it looks like ${looks}` : ""}.`,
    fix: "Give the recording as WAV, MP3, M4A, AAC, Ogg, FLAC, AMR, WebM or AU, or remove the row.",
  };
}

const magics = ["ID3", "OggS", "fLaC", "#!AMR", ".snd", "\x1a\x45\xdf\xa3"];

function isKnown(head: Buffer, start: string): boolean {
  if (magics.some((magic) => start.startsWith(magic)) || start.slice(4, 8) === "ftyp") return true;
  // The beginning of a frame: MPEG audio of layer III, or AAC.
  const sync = head.length >= 2 ? head.readUInt16BE(0) : 0;
  return (sync & 0xffe6) === 0xffe2 || (sync & 0xfff6) === 0xfff0;
}

const begins =
  (...magic: readonly string[]) =>
  (start: string) =>
    magic.some((word) => start.startsWith(word));

const foreign: readonly (readonly [(start: string) => boolean, string])[] = [
  [(start) => /^\s*<(!doctype|html|\?xml)/i.test(start), "a web page or XML"],
  [begins("%PDF"), "a PDF document"],
  [begins("PK\x03\x04"), "a ZIP archive or an office document"],
  [begins("\x1f\x8b"), "a gzip archive"],
  [begins("\xff\xd8\xff", "\x89PNG", "GIF8"), "a picture"],
  [begins("RIFF"), "a RIFF file of another kind than WAV"],
  [(start) => start.startsWith("AIF", 8), "an AIFF file"],
  [begins("\x30\x26\xb2\x75"), "a Windows Media file"],
  [(start) => start === "\0".repeat(start.length), "nothing but zeros, as a failed copy leaves it"],
  [(start) => /^[\t\n\r\x20-\x7e]+$/.test(start), "text"],
];

/** Walks the chunks of a WAV to its audio, and compares what the header announces with what is there. */
async function wavProblem(
  access: FileAccess,
  { file, bytes, name }: Opened,
  head: Buffer,
): Promise<Defect | undefined> {
  let at = 12;
  let frameBytes = 2;
  for (let chunk = 0; chunk < mostChunks; chunk++) {
    let header = head.subarray(at, at + 24);
    if (header.length < 24 && at + header.length < bytes) {
      header = Buffer.alloc(24);
      header = header.subarray(0, await access.read(file, header, at));
    }
    if (header.length < 8) return truncated(name, "it ends before its audio");
    const id = header.toString("latin1", 0, 4);
    const size = header.readUInt32LE(4);
    if (id === "data") return audioThere(name, size, bytes - at - 8, frameBytes);
    if (id === "fmt " && header.length >= 22) frameBytes = Math.max(2, header.readUInt16LE(20));
    at += 8 + size + (size % 2);
  }
  return undefined;
}

function audioThere(name: string, announced: number, there: number, frameBytes: number): Defect | undefined {
  if (!isPlaceholder(announced) && announced - there >= frameBytes)
    return truncated(name, `its header announces ${announced} bytes of audio, and ${Math.max(0, there)} are there`);
  if (there >= frameBytes) return undefined;
  return {
    code: "file_without_audio",
    detail: `The file ${quote(name)} is a WAV header without any audio.`,
    fix: "Nothing was recorded: remove the row, or give another recording.",
  };
}

/** Sizes that a recorder writes first and corrects at the end unless it is stopped: none, or the most there can be. */
function isPlaceholder(size: number): boolean {
  const justBelow = (limit: number) => size <= limit && size >= limit - 4096;
  return size === 0 || justBelow(2 ** 31) || justBelow(2 ** 32);
}

const truncated = (name: string, how: string): Defect => ({
  code: "file_truncated",
  detail: `The file ${quote(name)} is cut short: ${how}.`,
  fix: "Copy it again from the telephone system; the copy was stopped, or the call still ran.",
});
