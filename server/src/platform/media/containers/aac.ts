import { type ByteReader, type Container, peek, skip, UNIT_LIMIT } from "./byte-reader.ts";
import { milliseconds, notAudio, type RecognitionResult, recognised, refuseAbsurd } from "./recognition-result.ts";

/** Sample rates by index in AAC headers. */
export const aacSampleRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
];
/** Channel counts by configuration in AAC headers. 0: defined elsewhere. */
export const aacChannels = [0, 1, 2, 3, 4, 5, 6, 8];

const HEADER_BYTES = 7;
const MAX_FRAME_BYTES = 8191;
const SAMPLES_PER_BLOCK = 1024;
/** Mask of the header bits that are the same in every frame: sync, layer, profile, rate and channels. */
const FIXED_HEADER_BITS = 0xfffe_fdc0;

/** ADTS: consecutive AAC frames, each with its own header, without a total length. */
export const aac: Container = { read };

function* read(): ByteReader<RecognitionResult> {
  const { view: first } = yield peek(HEADER_BYTES);
  const header = first.getUint32(0);
  const sampleRate = aacSampleRates[(header >>> 10) & 15] ?? 0;
  const channels = aacChannels[(header >>> 6) & 7] || null;

  const { frames, blocks, rest } = yield* countFrames(header);
  if (frames < 3 && !(frames > 0 && rest === 0))
    return notAudio("The file starts like AAC, but what follows is not AAC audio.");
  const refusal = refuseAbsurd("AAC", { channels, sampleRate });
  if (refusal) return refusal;
  return recognised({
    format: "aac",
    codec: "aac",
    channels,
    sampleRate,
    // A short rest is a truncated last frame or a tag; a long one is audio that was not counted.
    durationMs: rest <= MAX_FRAME_BYTES ? milliseconds(blocks * SAMPLES_PER_BLOCK, sampleRate) : null,
    unfinished: false,
  });
}

/** Walks all frames, because the duration is not stored anywhere. */
function* countFrames(header: number): ByteReader<{ frames: number; blocks: number; rest: number }> {
  let frames = 0;
  let blocks = 0;
  let rest = 0;
  while (frames < UNIT_LIMIT) {
    const { view } = yield peek(HEADER_BYTES);
    if (view.byteLength < HEADER_BYTES || ((view.getUint32(0) ^ header) & FIXED_HEADER_BITS) !== 0) break;
    const size = (view.getUint32(3) >>> 13) & 0x1fff;
    if (size < HEADER_BYTES) break;
    const { passed } = yield skip(size);
    if (passed < size) rest = passed;
    else {
      frames++;
      blocks += (view.getUint8(6) & 3) + 1;
    }
  }
  rest += (yield skip(Infinity)).passed;
  return { frames, blocks, rest };
}
