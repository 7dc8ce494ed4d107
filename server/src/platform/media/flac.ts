import { type Container, peek, type Reading, skip, take, text } from "./reading.ts";
import {
  empty,
  grouped,
  milliseconds,
  notAudio,
  recognised,
  refuseAbsurd,
  truncated,
  type Verdict,
} from "./verdict.ts";

interface StreamInfo {
  largestBlock: number;
  smallestFrameBytes: number;
  channels: number;
  sampleRate: number;
  /** 0 where the encoder did not know. */
  samples: number;
}

export const STREAM_INFO_BYTES = 34;
const BLOCK_HEADER = 4;
/** Of samples. */
const SMALLEST_BLOCK = 16;

/** Files have a handful of metadata blocks; one with thousands was made to keep us busy. */
const BLOCK_LIMIT = 10_000;

export const flac: Container = {
  matches: (head) => text(head, 0, 4) === "fLaC",
  read,
};

function* read(): Reading<Verdict> {
  yield skip(4);
  const first = yield* take(BLOCK_HEADER + STREAM_INFO_BYTES);
  if (!first) return truncated("The FLAC file ends within its metadata.");
  if ((first.getUint32(0) & 0x7fff_ffff) !== STREAM_INFO_BYTES)
    return notAudio("The FLAC file does not begin with a description of its stream.");
  const info = readStreamInfo(first, BLOCK_HEADER);
  const refusal = refuseAbsurd("FLAC", info);
  if (refusal) return refusal;
  if (info.largestBlock < SMALLEST_BLOCK) return notAudio("The FLAC header gives an impossible block size.");

  let last = isLast(first);
  for (let blocks = 0; !last; blocks++) {
    if (blocks === BLOCK_LIMIT) return notAudio("The FLAC file has thousands of metadata blocks and no audio.");
    const header = yield* take(BLOCK_HEADER);
    const size = header ? header.getUint32(0) & 0xff_ffff : 0;
    if (!header || (yield skip(size)).passed < size) return truncated("The FLAC file ends within its metadata.");
    last = isLast(header);
  }
  return yield* readFrames(info);
}

function isLast(blockHeader: DataView): boolean {
  return blockHeader.getUint8(0) >= 0x80;
}

export function readStreamInfo(view: DataView, at: number): StreamInfo {
  const word = view.getUint32(at + 10);
  return {
    largestBlock: view.getUint16(at + 2),
    smallestFrameBytes: view.getUint32(at + 4) >>> 8,
    channels: ((word >>> 9) & 7) + 1,
    sampleRate: word >>> 12,
    samples: (word & 0xf) * 2 ** 32 + view.getUint32(at + 14),
  };
}

function* readFrames(info: StreamInfo): Reading<Verdict> {
  const { view: sync } = yield peek(2);
  if (sync.byteLength < 2) {
    if (info.samples === 0) return empty("The FLAC file has a header and no audio.");
    return truncated(`The FLAC header announces ${grouped(info.samples)} samples and none came.`);
  }
  if ((sync.getUint16(0) & 0xfffe) !== 0xfff8) return notAudio("What follows the FLAC header is no FLAC audio.");

  const { passed: bytes } = yield skip(Infinity);
  // The last frame may be smaller than all others.
  const least = (Math.ceil(info.samples / info.largestBlock) - 1) * info.smallestFrameBytes;
  if (bytes < least)
    return truncated(`The FLAC header announces at least ${grouped(least)} bytes of audio and ${grouped(bytes)} came.`);
  return recognised({
    format: "flac",
    codec: "flac",
    channels: info.channels,
    sampleRate: info.sampleRate,
    durationMs: info.samples === 0 ? null : milliseconds(info.samples, info.sampleRate),
    unfinished: info.samples === 0,
  });
}
