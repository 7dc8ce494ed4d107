import type { FileHandle } from "node:fs/promises";
import { type Defect, ManifestError } from "../finding-codes.ts";

type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** A text file that can be read repeatedly, in chunks. */
export interface TextFile {
  readonly encoding: Encoding;
  /** No byte order mark and not valid UTF-8: read as Windows-1252, the most common case. */
  readonly guessed: boolean;
  /** The first chunk, to detect the format. */
  readonly head: string;
  chunks(signal?: AbortSignal): AsyncGenerator<string>;
}

/** Small, so that the rows of a chunk are garbage before the next chunk is read. */
const CHUNK_BYTES = 16 * 1024;

/** Detects the encoding by reading the whole file once. Rejects files that are not text. */
export async function openText(file: FileHandle, name: string): Promise<TextFile> {
  const first = Buffer.alloc(CHUNK_BYTES);
  const { bytesRead } = await file.read(first, 0, CHUNK_BYTES, 0);
  const head = first.subarray(0, bytesRead);
  const refusal = refuse(head, name);
  if (refusal) throw new ManifestError([refusal]);

  const marked = markedEncoding(head);
  const counts = marked === undefined || marked === "utf-8" ? await countUtf8(file) : { good: 0, bad: 0 };
  // More valid than invalid sequences: UTF-8 with damaged rows. Otherwise: Windows-1252.
  const guessed = marked === undefined && counts.bad > 0 && counts.good < counts.bad;
  const encoding = marked ?? (guessed ? "windows-1252" : "utf-8");
  return {
    encoding,
    guessed,
    head: new TextDecoder(encoding).decode(head, { stream: true }),
    chunks: (signal) => decode(file, encoding, signal),
  };
}

async function* decode(file: FileHandle, encoding: Encoding, signal?: AbortSignal): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const bytes of read(file)) {
    signal?.throwIfAborted();
    yield decoder.decode(bytes, { stream: true });
  }
  yield decoder.decode();
}

async function* read(file: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function markedEncoding(head: Buffer): Encoding | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return "utf-8";
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  return undefined;
}

/** Counts the non-ASCII characters that are valid UTF-8, and those that are not. */
async function countUtf8(file: FileHandle): Promise<{ good: number; bad: number }> {
  let bad = 0;
  let good = 0;
  for await (const text of decode(file, "utf-8")) {
    for (const [run] of text.matchAll(/[^\0-\x7f]+/g))
      for (const character of run) {
        if (character === "\ufffd") bad++;
        else good++;
      }
  }
  // U+FFFD may be in the file itself, as valid UTF-8. Only the strict decoder can distinguish it.
  return bad > 0 && (await isUtf8(file)) ? { good: good + bad, bad: 0 } : { good, bad };
}

async function isUtf8(file: FileHandle): Promise<boolean> {
  const strict = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const bytes of read(file)) strict.decode(bytes, { stream: true });
    strict.decode();
    return true;
  } catch {
    return false;
  }
}

function refuse(head: Buffer, name: string): Defect | undefined {
  if (head.length === 0)
    return {
      code: "manifest_empty",
      detail: `${name} is empty.`,
      fix: "Export it again. It needs a header line and one line per call.",
    };
  const starts = (hex: string) => head.subarray(0, hex.length / 2).equals(Buffer.from(hex, "hex"));
  if (starts("504b0304") || starts("d0cf11e0"))
    return {
      code: "manifest_is_spreadsheet",
      detail: `${name} is a spreadsheet or an archive, not text.`,
      fix: "Open it, choose Save as, and save it as CSV UTF-8.",
    };
  if (starts("fffe0000") || starts("0000feff") || looksLikeUtf16(head))
    return {
      code: "manifest_encoding_unknown",
      detail: `${name} is encoded in UTF-32, or in UTF-16 without a byte order mark.`,
      fix: "Save it as UTF-8, for example with: iconv -f UTF-16LE -t UTF-8 FILE > NEW.",
    };
  if (markedEncoding(head)?.startsWith("utf-16")) return undefined;
  const zeros = head.filter((byte) => byte === 0).length;
  if (zeros > head.length / 100 || starts("1f8b") || starts("25504446"))
    return {
      code: "manifest_not_text",
      detail: `${name} is a binary file, not text.`,
      fix: "Use CSV or JSON lines. If the file is compressed, decompress it first.",
    };
  return undefined;
}

/** Every other byte is zero, without a byte order mark. */
function looksLikeUtf16(head: Buffer): boolean {
  if (head.length < 4 || markedEncoding(head)) return false;
  const looked = head.subarray(0, 200);
  const zeros = (rest: number) => looked.filter((byte, index) => index % 2 === rest && byte === 0).length;
  const half = Math.floor(looked.length / 2);
  return (zeros(0) > half * 0.7 && zeros(1) === 0) || (zeros(1) > half * 0.7 && zeros(0) === 0);
}
