import { kWeighting, meterLoudness } from "./loudness.ts";
import { levelOf } from "./speech.ts";
import { pointsPerSecond, type Waveform } from "./waveform.ts";

/** Speech is told from silence every 10 ms. */
export const framesPerSecond = 100;
const framesPerPoint = framesPerSecond / pointsPerSecond;
const framesPerLoudness = framesPerSecond / 10;
const fullScale = 32_768;
const tiny = 1e-12;

export interface Heard {
  readonly durationMs: number;
  readonly waveform: Waveform;
  readonly channels: readonly { readonly levels: Uint8Array; readonly loudness: number | null }[];
  /** How alike two channels are, 0 to 1; 0 for one channel, silence, or two of which one is far louder. */
  readonly likeness: number;
}

export interface Listener {
  /** Takes interleaved 16-bit samples, little-endian, cut anywhere. */
  write(chunk: Buffer): void;
  end(): Heard;
}

/**
 * Hears decoded audio once, while it passes: waveform, loudness, level of every frame, likeness of the channels. Keeps
 * 200 bytes a second and channel of it.
 */
export function listen({ sampleRate, channels }: { sampleRate: number; channels: 1 | 2 }): Listener {
  const ears = Array.from({ length: channels }, () => openEar(sampleRate));
  const frameBytes = 2 * channels;
  const sums: Sums = { count: 0, left: 0, right: 0, leftSquares: 0, rightSquares: 0, products: 0 };
  let rest = Buffer.alloc(0);
  let samples = 0;

  return {
    write(chunk) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      const count = Math.floor(bytes.length / frameBytes);
      // A view of 16-bit numbers must begin at an even address.
      const aligned = bytes.byteOffset % 2 === 0 ? bytes : Buffer.from(bytes);
      const pcm = new Int16Array(aligned.buffer, aligned.byteOffset, count * channels);
      ears.forEach((ear, channel) => {
        ear.hear(pcm, channel, channels);
      });
      if (channels === 2) compare(pcm, sums);
      samples += count;
      rest = Buffer.from(bytes.subarray(count * frameBytes));
    },
    end() {
      const heard = ears.map((ear) => ear.end());
      return {
        durationMs: Math.round((samples * 1000) / sampleRate),
        waveform: { sampleRate, channels: heard.map(({ lows, highs }) => ({ lows, highs })) },
        channels: heard.map(({ levels, loudness }) => ({ levels, loudness })),
        likeness: likenessOf(sums),
      };
    },
  };
}

/** Whether two channels are alike shows in every third sample as well as in all. */
const compareEvery = 3;

/** Sums over both channels, of which their likeness is made. */
interface Sums {
  count: number;
  left: number;
  right: number;
  leftSquares: number;
  rightSquares: number;
  products: number;
}

function compare(pcm: Int16Array, sums: Sums): void {
  let left = 0;
  let right = 0;
  let leftSquares = 0;
  let rightSquares = 0;
  let products = 0;
  let count = 0;
  for (let i = 0; i + 1 < pcm.length; i += 2 * compareEvery) {
    count += 1;
    const l = pcm[i] as number;
    const r = pcm[i + 1] as number;
    left += l;
    right += r;
    leftSquares += l * l;
    rightSquares += r * r;
    products += l * r;
  }
  sums.count += count;
  sums.left += left;
  sums.right += right;
  sums.leftSquares += leftSquares;
  sums.rightSquares += rightSquares;
  sums.products += products;
}

/** Ten decibels: what is so much fainter is the other side heard through the line, and no copy. */
const sameVolume = 10;

/** How alike two channels are: their correlation, whatever their offset and sign, if they are about as loud. */
function likenessOf({ count, left, right, leftSquares, rightSquares, products }: Sums): number {
  const leftPower = leftSquares - (left * left) / count;
  const rightPower = rightSquares - (right * right) / count;
  if (!(leftPower > 0 && rightPower > 0)) return 0;
  if (Math.max(leftPower / rightPower, rightPower / leftPower) > sameVolume) return 0;
  return Math.abs(products - (left * right) / count) / Math.sqrt(leftPower * rightPower);
}

/** One channel. The loop over its samples is what the whole preparation spends its time in beside ffmpeg. */
function openEar(sampleRate: number) {
  const { shelf, highPass } = kWeighting(sampleRate);
  const { b0, b1, b2, a1, a2 } = shelf;
  const { a1: c1, a2: c2 } = highPass;
  const samplesPerFrame = sampleRate / framesPerSecond;
  const levels = growing(Uint8Array);
  const lows = growing(Int8Array);
  const highs = growing(Int8Array);
  const meter = meterLoudness();
  // The filters' memories: of the shelf, then of the high-pass.
  const memory = { s1: 0, s2: 0, h1: 0, h2: 0 };
  let energy = 0;
  let low = 0;
  let high = 0;
  let inFrame = 0;
  let frames = 0;
  let loudnessEnergy = 0;

  function endFrame(): void {
    const meanSquare = energy / samplesPerFrame / (fullScale * fullScale);
    levels.push(levelOf(meanSquare));
    loudnessEnergy += meanSquare;
    frames += 1;
    energy = 0;
    inFrame = 0;
    if (frames % framesPerLoudness === 0) {
      meter.write(loudnessEnergy / framesPerLoudness);
      loudnessEnergy = 0;
    }
    if (frames % framesPerPoint === 0) endPoint();
  }

  function endPoint(): void {
    lows.push(low >> 8);
    highs.push(high >> 8);
    low = 0;
    high = 0;
  }

  /** Hears samples of one frame. Everything it touches is a local: a variable of the closure costs three times as much. */
  function hearWithinFrame(pcm: Int16Array, from: number, to: number, stride: number): void {
    let { s1, s2, h1, h2 } = memory;
    let sum = 0;
    let least = low;
    let most = high;
    for (let i = from; i < to; i += stride) {
      const x = pcm[i] as number;
      if (x < least) least = x;
      else if (x > most) most = x;
      // Transposed direct form II, twice.
      const y = b0 * x + s1;
      s1 = b1 * x - a1 * y + s2;
      s2 = b2 * x - a2 * y;
      const z = y + h1;
      h1 = h2 - 2 * y - c1 * z;
      h2 = y - c2 * z;
      sum += z * z;
    }
    // In silence the memories would fade into numbers so small that the processor takes them one digit at a time.
    memory.s1 = Math.abs(s1) < tiny ? 0 : s1;
    memory.s2 = Math.abs(s2) < tiny ? 0 : s2;
    memory.h1 = Math.abs(h1) < tiny ? 0 : h1;
    memory.h2 = Math.abs(h2) < tiny ? 0 : h2;
    energy += sum;
    low = least;
    high = most;
  }

  return {
    hear(pcm: Int16Array, channel: number, stride: number): void {
      for (let at = channel; at < pcm.length; ) {
        const left = Math.ceil((pcm.length - at) / stride);
        const count = Math.min(samplesPerFrame - inFrame, left);
        hearWithinFrame(pcm, at, at + count * stride, stride);
        at += count * stride;
        inFrame += count;
        if (inFrame === samplesPerFrame) endFrame();
      }
    },
    end() {
      if (inFrame > 0) endFrame();
      if (frames % framesPerPoint !== 0) endPoint();
      return { levels: levels.all(), lows: lows.all(), highs: highs.all(), loudness: meter.end() };
    },
  };
}

/** Numbers in the order they come, without a number object for each. */
function growing<Numbers extends Uint8Array | Int8Array>(Kind: new (length: number) => Numbers) {
  let numbers = new Kind(4096);
  let length = 0;
  return {
    push(value: number): void {
      if (length === numbers.length) {
        const larger = new Kind(length * 2);
        larger.set(numbers);
        numbers = larger;
      }
      numbers[length] = value;
      length += 1;
    },
    all: () => numbers.subarray(0, length) as Numbers,
  };
}
