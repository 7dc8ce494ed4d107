import { type Container, peek, type Reading, skip, UNIT_LIMIT } from "./reading.ts";
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
  matches: (head) => head.byteLength >= HEADER_BYTES && (head.getUint16(0) & 0xfff6) === 0xfff0,
  read,
};

function* read(): Reading<Verdict> {
  const { view: first } = yield peek(HEADER_BYTES);
  const header = first.getUint32(0);
  const sampleRate = aacSampleRates[(header >>> 10) & 15] ?? 0;
  const channels = aacChannels[(header >>> 6) & 7] || null;

  const { frames, blocks, rest } = yield* countFrames(header);
  if (frames < 3 && !(frames > 0 && rest === 0))
    return notAudio("The file begins like AAC, but what follows is no AAC audio.");
  const refusal = refuseAbsurd("AAC", { channels, sampleRate });
  if (refusal) return refusal;
  return recognised({
    format: "aac",
    codec: "aac",
    channels,
    sampleRate,
    // A little more is a last frame that was cut or a tag; a lot more is audio that was not counted.
    durationMs: rest <= LARGEST_FRAME ? milliseconds(blocks * SAMPLES_PER_BLOCK, sampleRate) : null,
    unfinished: false,
  });
}

/** Walks the frames: nothing else tells how long the audio is. */
function* countFrames(header: number): Reading<{ frames: number; blocks: number; rest: number }> {
  let frames = 0;
  let blocks = 0;
  let rest = 0;
  while (frames < UNIT_LIMIT) {
    const { view } = yield peek(HEADER_BYTES);
    if (view.byteLength < HEADER_BYTES || ((view.getUint32(0) ^ header) & SAME_IN_ALL) !== 0) break;
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
