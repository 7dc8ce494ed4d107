import { type ByteReader, type Container, peek, skip, take } from "./byte-reader.ts";
import {
  empty,
  grouped,
  milliseconds,
  notAudio,
  type RecognitionResult,
  recognised,
  refuseAbsurd,
  truncated,
} from "./recognition-result.ts";

interface StreamInfo {
  largestBlock: number;
  smallestFrameBytes: number;
  channels: number;
  sampleRate: number;
  /** 0 if unknown. */
  samples: number;
}

export const STREAM_INFO_BYTES = 34;
const BLOCK_HEADER = 4;
/** Minimum block size in samples. */
const MIN_BLOCK = 16;

/** Real files have a few metadata blocks; one with thousands is malicious. */
const BLOCK_LIMIT = 10_000;

export const flac: Container = { read };

function* read(): ByteReader<RecognitionResult> {
  yield skip(4);
  const first = yield* take(BLOCK_HEADER + STREAM_INFO_BYTES);
  if (!first) return truncated("The FLAC file ends within its metadata.");
  if ((first.getUint32(0) & 0x7fff_ffff) !== STREAM_INFO_BYTES)
    return notAudio("The FLAC file does not start with stream information.");
  const info = readStreamInfo(first, BLOCK_HEADER);
  const refusal = refuseAbsurd("FLAC", info);
  if (refusal) return refusal;
  if (info.largestBlock < MIN_BLOCK) return notAudio("The FLAC header gives an impossible block size.");

  let last = isLast(first);
  for (let blocks = 0; !last; blocks++) {
    if (blocks === BLOCK_LIMIT) return notAudio("The FLAC file has thousands of metadata blocks but no audio.");
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

function* readFrames(info: StreamInfo): ByteReader<RecognitionResult> {
  const { view: sync } = yield peek(2);
  if (sync.byteLength < 2) {
    if (info.samples === 0) return empty("The FLAC file has a header but no audio.");
    return truncated(`The FLAC header declares ${grouped(info.samples)} samples, but none were received.`);
  }
  if ((sync.getUint16(0) & 0xfffe) !== 0xfff8) return notAudio("The data after the FLAC header is not FLAC audio.");

  const { passed: bytes } = yield skip(Infinity);
  // The last frame may be smaller than the minimum.
  const minBytes = (Math.ceil(info.samples / info.largestBlock) - 1) * info.smallestFrameBytes;
  if (bytes < minBytes)
    return truncated(
      `The FLAC header declares at least ${grouped(minBytes)} bytes of audio, but only ${grouped(bytes)} were received.`,
    );
  return recognised({
    format: "flac",
    codec: "flac",
    channels: info.channels,
    sampleRate: info.sampleRate,
    durationMs: info.samples === 0 ? null : milliseconds(info.samples, info.sampleRate),
    unfinished: info.samples === 0,
  });
}
