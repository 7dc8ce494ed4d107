import { describe, expect, test } from "vitest";
import { analyseSamples, framesPerSecond, type SampleAnalysis } from "./analyse-samples.ts";
import { findSpeech, longest, overlaps, silences, total } from "./speech.ts";
import { encodeWaveform } from "./waveform.ts";

const rate = 8000;
type Wave = (second: number) => number;

const tone =
  (hertz: number, amplitude: number): Wave =>
  (second) =>
    amplitude * Math.sin(2 * Math.PI * hertz * second);
const during =
  (from: number, to: number, wave: Wave): Wave =>
  (second) =>
    second >= from && second < to ? wave(second) : 0;
/** Deterministic noise. */
function noise(amplitude: number): Wave {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (amplitude * state) / 2 ** 31;
  };
}
const sum =
  (...waves: Wave[]): Wave =>
  (second) =>
    waves.reduce((value, wave) => value + wave(second), 0);

function pcm(seconds: number, channels: Wave[]): Buffer {
  const frames = seconds * rate;
  const bytes = Buffer.alloc(frames * channels.length * 2);
  for (let frame = 0; frame < frames; frame++) {
    channels.forEach((wave, channel) => {
      bytes.writeInt16LE(Math.round(wave(frame / rate) * 32_767), (frame * channels.length + channel) * 2);
    });
  }
  return bytes;
}

function analyse(bytes: Buffer, channels: 1 | 2, chunk = 65_536): SampleAnalysis {
  const analyser = analyseSamples({ sampleRate: rate, channels });
  for (let at = 0; at < bytes.length; at += chunk) analyser.write(bytes.subarray(at, at + chunk));
  return analyser.end();
}

describe("analyseSamples", () => {
  // BS.1770: a sine of 997 Hz at full scale on one channel is -3.01 LUFS.
  test.each([
    [1, -3.01],
    [0.1, -23.01],
  ])("a tone of amplitude %d has %d LUFS", (amplitude, lufs) => {
    const analysis = analyse(pcm(5, [tone(997, amplitude)]), 1);
    expect(analysis.channels[0]?.loudness).toBeCloseTo(lufs, 0);
  });

  test("silence has no loudness", () => {
    expect(analyse(pcm(2, [() => 0]), 1).channels[0]?.loudness).toBeNull();
  });

  test.each([1, 3, 4097, 65_536])("chunks of %d bytes give the same result as one", (chunk) => {
    const bytes = pcm(1, [tone(300, 0.3), noise(0.1)]);
    expect(analyse(bytes, 2, chunk)).toEqual(analyse(bytes, 2, bytes.length));
  });

  test("the duration includes an incomplete last frame", () => {
    const analysis = analyse(pcm(1, [tone(300, 0.3)]).subarray(0, 2 * 7999), 1);
    expect(analysis.durationMs).toBe(1000);
    expect(analysis.channels[0]?.levels).toHaveLength(100);
    expect(analysis.waveform.channels[0]?.lows).toHaveLength(50);
  });

  test.each([
    ["the same signal on both", [tone(300, 0.3), tone(300, 0.3)], 1],
    ["the same signal, slightly quieter on one", [tone(300, 0.3), tone(300, 0.15)], 1],
    ["the same signal, inverted on one", [tone(300, 0.3), tone(300, -0.3)], 1],
    ["a faint echo of one on the other", [tone(300, 0.3), tone(300, 0.01)], 0],
    ["different signals with a DC offset", [sum(tone(300, 0.3), () => 0.3), sum(tone(410, 0.3), () => 0.3)], 0],
    ["different signals", [tone(300, 0.3), tone(410, 0.3)], 0],
    ["one silent channel", [tone(300, 0.3), () => 0], 0],
  ])("channel correlation with %s", (_, waves, correlation) => {
    expect(analyse(pcm(1, waves), 2).correlation).toBeCloseTo(correlation, 1);
  });

  test("the waveform contains the extremes of every 20 ms, in the documented format", () => {
    const analysis = analyse(pcm(1, [during(0.5, 0.6, tone(500, 0.5)), () => 0.25]), 2);
    const bytes = encodeWaveform(analysis.waveform);
    expect([0, 4, 8, 12, 16, 20].map((at) => bytes.readInt32LE(at))).toEqual([2, 1, rate, 160, 50, 2]);
    expect(bytes).toHaveLength(24 + 50 * 2 * 2);
    const point = (index: number) => [...new Int8Array(bytes.buffer, bytes.byteOffset + 24 + index * 4, 4)];
    expect(point(10)).toEqual([0, 0, 0, 32]);
    expect(point(26)).toEqual([-64, 64, 0, 32]);
  });
});

describe("speech", () => {
  const speechIn = (seconds: number, wave: Wave, other?: Wave) => {
    const analysis = analyse(pcm(seconds, other ? [wave, other] : [wave]), other ? 2 : 1);
    const levels = analysis.channels[0]?.levels ?? new Uint8Array();
    const elsewhere = analysis.channels[1]?.levels;
    return findSpeech(levels, { framesPerSecond, ...(elsewhere && { other: elsewhere }) });
  };
  const word = during(2, 4, tone(300, 0.2));

  test("is found with a precision of 50 ms", () => {
    const [run, ...more] = speechIn(10, word);
    expect(more).toEqual([]);
    expect(Math.abs((run?.[0] ?? 0) - 200)).toBeLessThan(5);
    expect(Math.abs((run?.[1] ?? 0) - 400)).toBeLessThan(5);
  });

  test.each([0.003, 0.01, 0.03])("is found in noise of amplitude %d", (amplitude) => {
    const runs = speechIn(10, sum(word, noise(amplitude)));
    expect(runs).toHaveLength(1);
    expect(Math.abs(total(runs) - 200)).toBeLessThan(10);
  });

  test("a short pause does not split a segment, a long one does", () => {
    const parts = [during(1, 2, tone(300, 0.2)), during(2.25, 3, tone(300, 0.2)), during(4, 5, tone(300, 0.2))];
    expect(speechIn(8, sum(...parts))).toHaveLength(2);
  });

  test("clicks and hiss are not speech", () => {
    expect(speechIn(10, sum(word, during(7, 7.05, tone(300, 0.5))))).toHaveLength(1);
    expect(speechIn(10, noise(0.001))).toEqual([]);
  });

  test("an echo of the other side is ignored", () => {
    const there = during(5, 8, tone(500, 0.3));
    const echo = during(5, 8, tone(500, 0.008));
    const runs = speechIn(10, sum(word, echo), there);
    expect(runs).toHaveLength(1);
    expect(runs[0]?.[1]).toBeLessThan(420);
  });

  test.each([
    [[[0, 10]], [[5, 20]], [[5, 10]]],
    [[[0, 10]], [[10, 20]], []],
    [
      [
        [0, 10],
        [20, 30],
      ],
      [[5, 25]],
      [
        [5, 10],
        [20, 25],
      ],
    ],
  ] as [number, number][][][])("%j and %j overlap in %j", (a = [], b = [], both = []) => {
    expect(overlaps(a, b)).toEqual(both);
  });

  test("silences are the gaps in which neither side speaks", () => {
    const quiet = silences(
      [
        [
          [10, 20],
          [50, 60],
        ],
        [[15, 30]],
      ],
      100,
    );
    expect(quiet).toEqual([
      [0, 10],
      [30, 50],
      [60, 100],
    ]);
    expect([total(quiet), longest(quiet)]).toEqual([70, 40]);
  });
});
