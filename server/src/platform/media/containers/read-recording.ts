import { type AudioContainer, describeNonAudio, recogniseContainer } from "@hearback/portable/file-signature";
import { aac } from "./aac.ts";
import { amrNarrowband, amrWideband } from "./amr.ts";
import { au } from "./au.ts";
import { type ByteReader, type Container, peek, skip, text } from "./byte-reader.ts";
import { flac } from "./flac.ts";
import { mp3 } from "./mp3.ts";
import { mp4 } from "./mp4.ts";
import { ogg } from "./ogg.ts";
import { empty, notAudio, type RecognitionResult, truncated } from "./recognition-result.ts";
import { wav } from "./wav.ts";
import { webm } from "./webm.ts";

const containers: Record<AudioContainer, Container> = {
  wav,
  mp4,
  ogg,
  flac,
  webm,
  au,
  amr: amrNarrowband,
  "amr-wb": amrWideband,
  aac,
  mp3,
};

const HEAD_BYTES = 512;
const TAG_HEADER = 10;
const TAG_LIMIT = 100;

/** Recognises the container and parses the recording. */
export function* readRecording(): ByteReader<RecognitionResult> {
  const { view: first } = yield peek(HEAD_BYTES);
  if (first.byteLength === 0) return empty("The file is empty.");
  const tags = yield* skipTags();
  if (tags === "cut") return truncated("The file ends within its ID3 tag.");

  const head = tags > 0 ? (yield peek(HEAD_BYTES)).view : first;
  if (head.byteLength === 0) return empty("The file has an ID3 tag but no audio.");
  const bytes = new Uint8Array(head.buffer, head.byteOffset, head.byteLength);
  const container = recogniseContainer(bytes);
  if (container) return yield* containers[container].read();
  // Only MP3 may have a gap between tag and audio.
  if (tags > 0) return yield* mp3.read();
  const kind = describeNonAudio(bytes);
  return notAudio(kind ? `The file looks like ${kind}.` : "The file is not in a known audio format.");
}

/** Skips ID3v2 tags, which may precede MP3, AAC and FLAC and can be large because of images. */
function* skipTags(): ByteReader<number | "cut"> {
  for (let tags = 0; ; tags++) {
    const { view: header } = yield peek(TAG_HEADER);
    if (text(header, 0, 3) !== "ID3" || tags === TAG_LIMIT) return tags;
    if (header.byteLength < TAG_HEADER) return "cut";
    const size = TAG_HEADER + sevenBitNumber(header, 6) + (header.getUint8(5) & 0x10 ? TAG_HEADER : 0);
    if ((yield skip(size)).passed < size) return "cut";
  }
}

/** Reads a synchsafe integer: four bytes with seven bits each. */
function sevenBitNumber(view: DataView, at: number): number {
  return [0, 1, 2, 3].reduce((value, index) => value * 128 + (view.getUint8(at + index) & 0x7f), 0);
}
