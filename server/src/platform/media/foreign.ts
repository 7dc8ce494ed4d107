import { text } from "./reading.ts";

const has = (magic: string, at: number) => (start: string) => start.startsWith(magic, at);
const begins = (magic: string) => has(magic, 0);
const reads = (words: RegExp) => (start: string) => words.test(start);

/** What people send instead of a recording. The first that fits is named, so the more exact stand first. */
const kinds: [fits: (start: string) => boolean, kind: string][] = [
  [reads(/^\s*#EXTM3U/), "an HLS playlist, a list of addresses rather than a recording"],
  [reads(/^\s*<(\?xml[^<]*<)?MPD\b/), "a DASH manifest, a list of addresses rather than a recording"],
  [reads(/^v=0\s/), "an SDP session description"],
  [begins("ffconcat version"), "a list of files to be joined"],
  [reads(/^\s*<(!doctype html|html)/i), "an HTML page"],
  [begins("%PDF"), "a PDF document"],
  [begins("PK\x03\x04"), "a ZIP archive or an office document"],
  [begins("\x1f\x8b"), "a gzip archive"],
  [begins("\xff\xd8\xff"), "a JPEG picture"],
  [begins("\x89PNG"), "a PNG picture"],
  [begins("GIF8"), "a GIF picture"],
  [begins("MThd"), "a MIDI file, which holds notes and no sound"],
  [has("AVI ", 8), "an AVI video"],
  [begins("RIFF"), "a RIFF file of another kind than WAV"],
  [begins("RIFX"), "a WAV file with its bytes in the other order"],
  [has("AIF", 8), "an AIFF file"],
  [begins("caff"), "a Core Audio file"],
  [begins("\x30\x26\xb2\x75\x8e\x66\xcf\x11"), "a Windows Media file"],
  [begins("FLV\x01"), "a Flash video"],
  [begins("\x00\x00\x01\xba"), "an MPEG program stream"],
  [(start) => [0, 188, 376].every((at) => start[at] === "G"), "an MPEG transport stream"],
  [has("styp", 4), "a segment of a stream, which cannot be played alone"],
  [has("moof", 4), "a segment of a stream, which cannot be played alone"],
  [reads(/^#!AMR(-WB)?_MC/), "an AMR file with several channels"],
  [has("#!SILK", 0), "a SILK file"],
  [has("#!SILK", 1), "a SILK file"],
  [begins("wvPK"), "a WavPack file"],
  [begins("\xff\xfe"), "a text"],
  [(start) => start === "\0".repeat(start.length), "a file of zeros, as a failed copy leaves it"],
  [(start) => ![...start].some((sign) => sign < " " && !"\t\n\f\r".includes(sign)), "a text"],
];

/** A sentence about a file that is none of ours. */
export function describeForeign(head: DataView): string {
  const start = text(head, 0, head.byteLength);
  const kind = kinds.find(([fits]) => fits(start))?.[1];
  return kind ? `The file looks like ${kind}.` : "The file is no kind of audio that we know.";
}
