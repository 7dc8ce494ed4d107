export type AudioContainer = "wav" | "mp4" | "ogg" | "flac" | "webm" | "au" | "amr" | "amr-wb" | "aac" | "mp3";

type Signature = (start: string, head: Uint8Array) => boolean;

const has =
  (magic: string, at = 0): Signature =>
  (start) =>
    start.startsWith(magic, at);
const matches =
  (pattern: RegExp): Signature =>
  (start) =>
    pattern.test(start);

/** Possible first boxes of an MP4 file. All but ftyp occur in older files. */
const firstBoxes = new Set(["ftyp", "moov", "mdat", "wide", "free", "skip"]);

/** The first match wins. Formats with a magic number come before those with only a few sync bits. */
const containers: readonly (readonly [AudioContainer, Signature])[] = [
  ["wav", matches(/^(RIFF|RF64|BW64).{4}WAVE/s)],
  // The size comes before the type, so the first byte is small. That excludes text such as "Get free tickets".
  ["mp4", (start, [first = 0]) => first < 9 && firstBoxes.has(start.slice(4, 8))],
  ["ogg", has("OggS")],
  ["flac", has("fLaC")],
  ["webm", has("\x1a\x45\xdf\xa3")],
  ["au", has(".snd")],
  ["amr", has("#!AMR\n")],
  ["amr-wb", has("#!AMR-WB\n")],
  ["aac", (_, head) => head.length >= 7 && ((word(head) >>> 16) & 0xfff6) === 0xfff0],
  ["mp3", (_, head) => head.length >= 4 && isMp3Frame(word(head))],
];

/** Layer III, with a valid version, bit rate, sample rate and emphasis. */
function isMp3Frame(header: number): boolean {
  const bits = (from: number, mask: number) => (header >>> from) & mask;
  const isLayer3 = bits(21, 0x7ff) === 0x7ff && bits(17, 3) === 1;
  return (
    isLayer3 && bits(19, 3) !== 1 && bits(12, 15) !== 0 && bits(12, 15) !== 15 && bits(10, 3) !== 3 && bits(0, 3) !== 2
  );
}

const word = ([a = 0, b = 0, c = 0, d = 0]: Uint8Array) => ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;

/** Files that are commonly mistaken for recordings. The first match wins, so more specific patterns come first. */
const otherFiles: readonly (readonly [Signature, string])[] = [
  [matches(/^\s*#EXTM3U/), "an HLS playlist, which contains addresses instead of audio"],
  [matches(/^\s*<(\?xml[^<]*<)?MPD\b/), "a DASH manifest, which contains addresses instead of audio"],
  [matches(/^v=0\s/), "an SDP session description"],
  [has("ffconcat version"), "a list of files to concatenate"],
  [matches(/^\s*<(!doctype html|html)/i), "an HTML page"],
  [has("%PDF"), "a PDF document"],
  [has("PK\x03\x04"), "a ZIP archive or an office document"],
  [has("PK\x05\x06"), "an empty ZIP archive"],
  [has("\xd0\xcf\x11\xe0"), "an office document"],
  [has("\x1f\x8b"), "a gzip archive"],
  [has("Rar!"), "a RAR archive"],
  [has("7z\xbc\xaf"), "a 7-Zip archive"],
  [has("\xff\xd8\xff"), "a JPEG image"],
  [has("\x89PNG"), "a PNG image"],
  [has("GIF8"), "a GIF image"],
  [has("MZ"), "a Windows program"],
  [has("SQLite format 3"), "a SQLite database"],
  [has("MThd"), "a MIDI file, which contains notes instead of audio"],
  [has("AVI ", 8), "an AVI video"],
  [has("RIFF"), "a RIFF file other than WAV"],
  [has("RIFX"), "a big-endian WAV file (RIFX)"],
  [has("AIF", 8), "an AIFF file"],
  [has("caff"), "a Core Audio file"],
  [has("\x30\x26\xb2\x75\x8e\x66\xcf\x11"), "a Windows Media file"],
  [has("FLV\x01"), "a Flash video"],
  [has("\x00\x00\x01\xba"), "an MPEG program stream"],
  [(start) => [0, 188, 376].every((at) => start[at] === "G"), "an MPEG transport stream"],
  [matches(/^.{4}(styp|moof)/s), "a single segment of a stream, which cannot be played on its own"],
  [matches(/^#!AMR(-WB)?_MC/), "a multichannel AMR file"],
  [matches(/^.?#!SILK/s), "a SILK file"],
  [has("wvPK"), "a WavPack file"],
  [has("\xff\xfe"), "a text file"],
  [(start) => start === "\0".repeat(start.length), "a file of zeros, as left by a failed copy"],
  [(start) => ![...start].some((sign) => sign < " " && !"\t\n\f\r".includes(sign)), "a text file"],
];

const startBytes = 512;

/** The first bytes as Latin-1 text. */
const textOf = (head: Uint8Array) => String.fromCharCode(...head.subarray(0, startBytes));

/** Recognises a container by the first bytes of a file. An ID3 tag may precede MP3, AAC and FLAC: see `hasId3Tag`. */
export function recogniseContainer(head: Uint8Array): AudioContainer | undefined {
  const start = textOf(head.subarray(0, 16));
  return containers.find(([, fits]) => fits(start, head))?.[0];
}

export const hasId3Tag = (head: Uint8Array): boolean => textOf(head.subarray(0, 3)) === "ID3";

/** Describes a file whose container is not recognised, such as "a PDF document". */
export function describeNonAudio(head: Uint8Array): string | undefined {
  const start = textOf(head);
  return otherFiles.find(([fits]) => fits(start, head))?.[1];
}
