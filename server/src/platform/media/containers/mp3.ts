import { type ByteReader, type Container, peek, skip, text } from "./byte-reader.ts";
import {
  empty,
  grouped,
  milliseconds,
  notAudio,
  type RecognitionResult,
  recognised,
  truncated,
} from "./recognition-result.ts";

interface Frame {
  version: number;
  sampleRate: number;
  channels: number;
  kbps: number;
  bytes: number;
  samples: number;
}

/** Consecutive frames of the same stream, from `start` to `end`. */
interface Chain {
  start: number;
  first: Frame;
  others: Frame[];
  end: number;
}

/** Totals from the Xing, Info or VBRI header in the first frame; 0 if unknown. */
interface Summary {
  frames: number;
  bytes: number;
  /** Samples that the encoder added at both ends. */
  padding: number;
}

const MPEG_1 = 3;
const kbpsOfMpeg1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const kbpsOfMpeg2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
/** By the header's version bits: MPEG 2.5, reserved, 2, 1. */
const sampleRates = [[11_025, 12_000, 8000], [], [22_050, 24_000, 16_000], [44_100, 48_000, 32_000]];

/** Maximum gap between tag and audio. */
const GAP = 4096;
/** The gap plus at least eight of the largest frames. */
const WINDOW = 16 * 1024;

export const mp3: Container = { read };

function* read(): ByteReader<RecognitionResult> {
  const { view: window } = yield peek(WINDOW);
  const chain = findChain(window);
  if (!chain) return notAudio("The file starts like MP3, but what follows is not MP3 audio.");
  const { start, first, others } = chain;

  yield skip(start);
  const { passed: bytes } = yield skip(Infinity);
  const summary = summaryIn(window, start, first);
  if (summary && summary.bytes - bytes > first.bytes)
    return truncated(
      `The MP3 header declares ${grouped(summary.bytes)} bytes of audio, but only ${grouped(bytes)} were received.`,
    );
  if (summary && bytes <= first.bytes) return empty("The MP3 file has a header but no audio.");

  const { sampleRate, channels } = first;
  return recognised({
    format: "mp3",
    codec: "mp3",
    channels,
    sampleRate,
    durationMs: summary?.frames
      ? milliseconds(summary.frames * first.samples - summary.padding, sampleRate)
      : // The summary frame contains no audio and has its own bitrate.
        durationByBitrate(summary ? others : [first, ...others], bytes - (summary ? first.bytes : 0)),
    unfinished: summary?.frames === 0,
  });
}

/** Finds the first plausible chain of frames: three in a row, or fewer up to the end of the file. */
function findChain(window: DataView): Chain | undefined {
  const ended = window.byteLength < WINDOW;
  for (let at = 0; at < GAP; at++) {
    const chain = chainAt(window, at);
    if (!chain) continue;
    const { others, end } = chain;
    if (others.length >= 2 || (ended && (others.length === 1 || end === window.byteLength))) return chain;
  }
  return undefined;
}

function chainAt(window: DataView, start: number): Chain | undefined {
  const first = frameAt(window, start);
  if (!first) return undefined;
  const others: Frame[] = [];
  let end = start + first.bytes;
  for (let next = frameAt(window, end); next && sameStream(next, first); next = frameAt(window, end)) {
    others.push(next);
    end += next.bytes;
  }
  return { start, first, others, end };
}

function sameStream(a: Frame, b: Frame): boolean {
  return a.version === b.version && a.sampleRate === b.sampleRate && a.channels === b.channels;
}

/** Parses the frame header at this position, if there is one. Layer III only. */
function frameAt(view: DataView, at: number): Frame | undefined {
  if (at + 4 > view.byteLength) return undefined;
  const header = view.getUint32(at);
  const sync = header >>> 21 === 0x7ff && ((header >>> 17) & 3) === 1 && (header & 3) !== 2;
  if (!sync) return undefined;
  const version = (header >>> 19) & 3;
  const kbps = (version === MPEG_1 ? kbpsOfMpeg1 : kbpsOfMpeg2)[(header >>> 12) & 15];
  const sampleRate = sampleRates[version]?.[(header >>> 10) & 3];
  if (!kbps || !sampleRate) return undefined;
  const samples = version === MPEG_1 ? 1152 : 576;
  const bytes = Math.floor((samples * kbps * 125) / sampleRate) + ((header >>> 9) & 1);
  return { version, sampleRate, channels: ((header >>> 6) & 3) === 3 ? 1 : 2, kbps, bytes, samples };
}

function summaryIn(view: DataView, start: number, { version, channels }: Frame): Summary | undefined {
  const sideInfo = version === MPEG_1 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17;
  const xing = start + 4 + sideInfo;
  if (["Xing", "Info"].includes(text(view, xing, 4)) && xing + 144 <= view.byteLength) return xingAt(view, xing);
  const vbri = start + 36;
  if (text(view, vbri, 4) === "VBRI" && vbri + 18 <= view.byteLength)
    return { bytes: view.getUint32(vbri + 10), frames: view.getUint32(vbri + 14), padding: 0 };
  return undefined;
}

function xingAt(view: DataView, at: number): Summary {
  const flags = view.getUint32(at + 4);
  let field = at + 8;
  const next = (flag: number, size: number) => {
    const value = flags & flag ? view.getUint32(field) : 0;
    if (flags & flag) field += size;
    return value;
  };
  const frames = next(1, 4);
  const bytes = next(2, 4);
  next(4, 100);
  next(8, 4);
  const known = /^(LAME|Lav)/.test(text(view, field, 4));
  const ends = known ? view.getUint32(field + 20) & 0xff_ffff : 0;
  return { frames, bytes, padding: (ends >>> 12) + (ends & 0xfff) };
}

/** Duration from the bitrate, if it is constant. Null for a variable bitrate. */
function durationByBitrate(frames: Frame[], bytes: number): number | null {
  const kbps = frames[0]?.kbps;
  return kbps && frames.every((frame) => frame.kbps === kbps) ? milliseconds(bytes, kbps * 125) : null;
}
