import { type Container, peek, type Reading, skip } from "./reading.ts";
import { milliseconds, notAudio, recognised, refuseAbsurd, type Verdict } from "./verdict.ts";

/** By the index that AAC headers give. */
export const aacSampleRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
];
/** By the configuration that AAC headers give; 0 means that it is told elsewhere. */
export const aacChannels = [0, 1, 2, 3, 4, 5, 6, 8];

const HEADER_BYTES = 7;
const LARGEST_FRAME = 8191;
const SAMPLES_PER_BLOCK = 1024;
/** The parts of the first four bytes that are the same in every frame: sync, layer, profile, rate and channels. */
const SAME_IN_ALL = 0xfffe_fdc0;

/** AAC frames one after the other, each with its own ADTS header, and nothing that tells how many. */
export const aac: Container = {
  matches: (head) => head.byteLength >= 2 && (head.getUint16(0) & 0xfff6) === 0xfff0,
  read,
};

function* read(): Reading<Verdict> {
  const first = yield* peek(HEADER_BYTES);
  if (first.byteLength < HEADER_BYTES) return notAudio("This is neither AAC nor another known kind of audio.");
  const header = first.getUint32(0);
  const sampleRate = aacSampleRates[(header >>> 10) & 15] ?? 0;
  const channels = aacChannels[(header >>> 6) & 7] || null;

  const { frames, blocks } = yield* walk(header);
  const rest = yield* skip(Infinity);
  if (frames < 3 && !(frames > 0 && rest === 0))
    return notAudio("The file begins like AAC, but what follows is no AAC audio.");
  const refusal = refuseAbsurd("AAC", { channels, sampleRate });
  if (refusal) return refusal;
  // A little more is a last frame that was cut or a tag; a lot more is audio that was not counted.
  const counted = rest <= LARGEST_FRAME;
  return recognised({
    format: "aac",
    codec: "aac",
    channels,
    sampleRate,
    durationMs: counted ? milliseconds(blocks * SAMPLES_PER_BLOCK, sampleRate) : null,
    unfinished: false,
  });
}

/** Counts whole frames, many with one look: only they tell how long the audio is. */
function* walk(header: number): Reading<{ frames: number; blocks: number }> {
  let frames = 0;
  let blocks = 0;
  for (;;) {
    const window = yield* peek(4 * LARGEST_FRAME);
    let at = 0;
    while (at + HEADER_BYTES <= window.byteLength) {
      const size = (window.getUint32(at + 3) >>> 13) & 0x1fff;
      const same = ((window.getUint32(at) ^ header) & SAME_IN_ALL) === 0;
      if (!same || size < HEADER_BYTES || at + size > window.byteLength) break;
      blocks += (window.getUint8(at + 6) & 3) + 1;
      frames++;
      at += size;
    }
    if (at === 0) return { frames, blocks };
    yield* skip(at);
  }
}
