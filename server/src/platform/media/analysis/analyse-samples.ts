import { kWeighting, meterLoudness } from "./loudness.ts";
import { levelOf } from "./speech.ts";
import { pointsPerSecond, type Waveform } from "./waveform.ts";

/** Speech detection works on frames of 10 ms. */
export const framesPerSecond = 100;
const framesPerPoint = framesPerSecond / pointsPerSecond;
const framesPerLoudness = framesPerSecond / 10;
const fullScale = 32_768;
const tiny = 1e-12;

export interface SampleAnalysis {
  readonly durationMs: number;
  readonly waveform: Waveform;
  readonly channels: readonly { readonly levels: Uint8Array; readonly loudness: number | null }[];
  /** Correlation of the two channels, 0 to 1. 0 for one channel, silence, or very different volumes. */
  readonly correlation: number;
}

export interface SampleAnalyser {
  /** Accepts interleaved 16-bit little-endian samples, split anywhere. */
  write(chunk: Buffer): void;
  end(): SampleAnalysis;
}

/**
 * Analyses decoded audio in one streaming pass: waveform, loudness, frame levels and correlation of the channels. Needs
 * 200 bytes of memory per second and channel.
 */
export function analyseSamples({ sampleRate, channels }: { sampleRate: number; channels: 1 | 2 }): SampleAnalyser {
  const analysers = Array.from({ length: channels }, () => openChannelAnalyser(sampleRate));
  const frameBytes = 2 * channels;
  const sums: Sums = { count: 0, left: 0, right: 0, leftSquares: 0, rightSquares: 0, products: 0 };
  let rest = Buffer.alloc(0);
  let samples = 0;

  return {
    write(chunk) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      const count = Math.floor(bytes.length / frameBytes);
      // An Int16Array needs an even byte offset.
      const aligned = bytes.byteOffset % 2 === 0 ? bytes : Buffer.from(bytes);
      const pcm = new Int16Array(aligned.buffer, aligned.byteOffset, count * channels);
      analysers.forEach((analyser, channel) => {
        analyser.write(pcm, channel, channels);
      });
      if (channels === 2) compare(pcm, sums);
      samples += count;
      rest = Buffer.from(bytes.subarray(count * frameBytes));
    },
    end() {
      const results = analysers.map((analyser) => analyser.end());
      return {
        durationMs: Math.round((samples * 1000) / sampleRate),
        waveform: { sampleRate, channels: results.map(({ lows, highs }) => ({ lows, highs })) },
        channels: results.map(({ levels, loudness }) => ({ levels, loudness })),
        correlation: correlationOf(sums),
      };
    },
  };
}

/** Sampling every third sample gives the same correlation. */
const compareEvery = 3;

/** Running sums for the correlation of both channels. */
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

/** Power ratio of 10 dB. A channel that is quieter than this is crosstalk, not a copy. */
const maxPowerRatio = 10;

/** Absolute correlation of two channels of similar volume, without DC offset. */
function correlationOf({ count, left, right, leftSquares, rightSquares, products }: Sums): number {
  const leftPower = leftSquares - (left * left) / count;
  const rightPower = rightSquares - (right * right) / count;
  if (!(leftPower > 0 && rightPower > 0)) return 0;
  if (Math.max(leftPower / rightPower, rightPower / leftPower) > maxPowerRatio) return 0;
  return Math.abs(products - (left * right) / count) / Math.sqrt(leftPower * rightPower);
}

/** Analyses one channel. Its sample loop takes most of the CPU time of a preparation, apart from ffmpeg. */
function openChannelAnalyser(sampleRate: number) {
  const { shelf, highPass } = kWeighting(sampleRate);
  const { b0, b1, b2, a1, a2 } = shelf;
  const { a1: c1, a2: c2 } = highPass;
  const samplesPerFrame = sampleRate / framesPerSecond;
  const levels = growableArray(Uint8Array);
  const lows = growableArray(Int8Array);
  const highs = growableArray(Int8Array);
  const meter = meterLoudness();
  // Filter state: shelf, then high-pass.
  const state = { s1: 0, s2: 0, h1: 0, h2: 0 };
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

  /** Processes samples of one frame. Uses only local variables, because closure variables are three times as slow. */
  function processFrame(pcm: Int16Array, from: number, to: number, stride: number): void {
    let { s1, s2, h1, h2 } = state;
    let sum = 0;
    let min = low;
    let max = high;
    for (let i = from; i < to; i += stride) {
      const x = pcm[i] as number;
      if (x < min) min = x;
      else if (x > max) max = x;
      // Two biquads in transposed direct form II.
      const y = b0 * x + s1;
      s1 = b1 * x - a1 * y + s2;
      s2 = b2 * x - a2 * y;
      const z = y + h1;
      h1 = h2 - 2 * y - c1 * z;
      h2 = y - c2 * z;
      sum += z * z;
    }
    // Flush denormals, which appear in silence and are very slow to process.
    state.s1 = Math.abs(s1) < tiny ? 0 : s1;
    state.s2 = Math.abs(s2) < tiny ? 0 : s2;
    state.h1 = Math.abs(h1) < tiny ? 0 : h1;
    state.h2 = Math.abs(h2) < tiny ? 0 : h2;
    energy += sum;
    low = min;
    high = max;
  }

  return {
    write(pcm: Int16Array, channel: number, stride: number): void {
      for (let at = channel; at < pcm.length; ) {
        const left = Math.ceil((pcm.length - at) / stride);
        const count = Math.min(samplesPerFrame - inFrame, left);
        processFrame(pcm, at, at + count * stride, stride);
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

/** A growable typed array. */
function growableArray<Numbers extends Uint8Array | Int8Array>(Kind: new (length: number) => Numbers) {
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
