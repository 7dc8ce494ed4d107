import { aac } from "./aac.ts";
import { amrNarrowband, amrWideband } from "./amr.ts";
import { au } from "./au.ts";
import { flac } from "./flac.ts";
import { describeForeign } from "./foreign.ts";
import { mp3 } from "./mp3.ts";
import { mp4 } from "./mp4.ts";
import { ogg } from "./ogg.ts";
import { type Container, peek, type Reading, skip, text } from "./reading.ts";
import { empty, notAudio, truncated, type Verdict } from "./verdict.ts";
import { wav } from "./wav.ts";
import { webm } from "./webm.ts";

/** The first that matches decides. Those with a magic word come before those with a few bits of it. */
const containers: Container[] = [wav, mp4, ogg, flac, webm, au, amrNarrowband, amrWideband, aac, mp3];

const HEAD_BYTES = 512;
const TAG_HEADER = 10;
const TAG_LIMIT = 100;

/** Reads a recording from its first byte to what can be said about it. */
export function* readRecording(): Reading<Verdict> {
  const { view: first } = yield peek(HEAD_BYTES);
  if (first.byteLength === 0) return empty("The file has no bytes.");
  const tags = yield* skipTags();
  if (tags === "cut") return truncated("The file ends within its ID3 tag.");

  const head = tags > 0 ? (yield peek(HEAD_BYTES)).view : first;
  if (head.byteLength === 0) return empty("The file has an ID3 tag and no audio.");
  const container = containers.find(({ matches }) => matches(head));
  if (container) return yield* container.read();
  // Only MP3 may keep a gap between its tag and its audio.
  return tags > 0 ? yield* mp3.read() : notAudio(describeForeign(head));
}

/** ID3v2 tags may stand before MP3, AAC and FLAC. They hold pictures, too, and may be large. */
function* skipTags(): Reading<number | "cut"> {
  for (let tags = 0; ; tags++) {
    const { view: header } = yield peek(TAG_HEADER);
    if (text(header, 0, 3) !== "ID3" || tags === TAG_LIMIT) return tags;
    if (header.byteLength < TAG_HEADER) return "cut";
    const size = TAG_HEADER + sevenBitNumber(header, 6) + (header.getUint8(5) & 0x10 ? TAG_HEADER : 0);
    if ((yield skip(size)).passed < size) return "cut";
  }
}

/** A number of four times seven bits, so that it can never look like the beginning of a frame. */
function sevenBitNumber(view: DataView, at: number): number {
  return [0, 1, 2, 3].reduce((value, index) => value * 128 + (view.getUint8(at + index) & 0x7f), 0);
}
