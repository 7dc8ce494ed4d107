/** What a first look at a file shows, before any of it is sent. */
export interface FirstLook {
  readonly fault?: "empty" | "not_audio" | "unreadable";
  /** Where the header tells it: WAV does. */
  readonly durationMs?: number;
}

const headBytes = 4096;

/** Beginnings of files that people have beside their recordings. What is not here is left to the service to judge. */
const others = [
  "%PDF-",
  "\x89PNG",
  "\xff\xd8\xff",
  "GIF8",
  "PK\x03\x04",
  "PK\x05\x06",
  "\x1f\x8b",
  "Rar!",
  "7z\xbc\xaf",
  "\xd0\xcf\x11\xe0",
  "{\\rtf",
  "MZ",
  "SQLite format 3",
];

/** Empty, or certainly no recording: told by the first bytes, never by the name. */
export async function lookAtFile(file: Blob): Promise<FirstLook> {
  if (file.size === 0) return { fault: "empty" };
  try {
    const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
    const start = String.fromCharCode(...head.subarray(0, 16));
    if (others.some((beginning) => start.startsWith(beginning)) || isText(head)) return { fault: "not_audio" };
    const durationMs = wavDuration(head, file.size);
    return durationMs === undefined ? {} : { durationMs };
  } catch {
    return { fault: "unreadable" };
  }
}

/** Nothing but printable signs. AMR begins with words, and goes on with what is none. */
function isText(head: Uint8Array): boolean {
  const start = head.subarray(head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0, 512);
  return (
    start.every((byte) => (byte >= 32 && byte !== 127) || byte === 9 || byte === 10 || byte === 13) && isUtf8(start)
  );
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    // The last sign may be cut.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** RIFF: "fmt " tells the bytes of a second, "data" how many there are; a recorder that was stopped may not have said. */
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
