import { type ByteReader, type Container, peek, skip } from "./byte-reader.ts";
import type { Codec } from "./codecs.ts";
import { empty, milliseconds, notAudio, type RecognitionResult, recognised } from "./recognition-result.ts";

interface Kind {
  magic: string;
  codec: Codec;
  sampleRate: number;
  /** Frame size including its header, by frame type; 0 for reserved types. */
  frameBytes: number[];
}

const FRAMES_PER_SECOND = 50;
/** Two seconds of speech at the highest rate: enough to check whether all frames have the same size. */
const WINDOW = 6100;

export const amrNarrowband = amr({
  magic: "#!AMR\n",
  codec: "amr_nb",
  sampleRate: 8000,
  frameBytes: [13, 14, 16, 18, 20, 21, 27, 32, 6, 0, 0, 0, 0, 0, 0, 1],
});

export const amrWideband = amr({
  magic: "#!AMR-WB\n",
  codec: "amr_wb",
  sampleRate: 16000,
  frameBytes: [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1],
});

function amr(kind: Kind): Container {
  return { read: () => read(kind) };
}

function* read(kind: Kind): ByteReader<RecognitionResult> {
  yield skip(kind.magic.length);
  const { view: window } = yield peek(WINDOW);
  if (window.byteLength === 0) return empty("The AMR file has a header but no audio.");
  const sizes = frameSizes(window, kind);
  const [first] = sizes;
  if (first === undefined || sizes.has(0)) return notAudio("The data after the AMR header is not AMR audio.");

  const { passed: bytes } = yield skip(Infinity);
  // With pauses, frames have different sizes, and walking all of them is not worth it here.
  const even = sizes.size === 1 && bytes % first === 0;
  return recognised({
    format: "amr",
    codec: kind.codec,
    channels: 1,
    sampleRate: kind.sampleRate,
    durationMs: even ? milliseconds(bytes / first, FRAMES_PER_SECOND) : null,
    unfinished: false,
  });
}

/** The distinct frame sizes in the window. Contains 0 if something is not a valid frame. */
function frameSizes(window: DataView, { frameBytes }: Kind): Set<number> {
  const sizes = new Set<number>();
  for (let at = 0; at < window.byteLength; ) {
    const header = window.getUint8(at);
    const size = (header & 0x83) === 0 ? (frameBytes[header >> 3] ?? 0) : 0;
    sizes.add(size);
    if (size === 0) break;
    at += size;
  }
  return sizes;
}
