import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { collectGarbage } from "../../memory/collect-garbage.ts";
import { aBox, anAmr, anAu, aWav, be32, bytes, le32 } from "../testing/handmade.ts";
import { makeFiles, resultOf, samples } from "../testing/samples.ts";
import { recogniseRecording } from "./recognise-recording.ts";

const chosen = samples.filter(({ file }) =>
  /^(gsm|rf64|vbr|plain|index-first|fragments|aac\.mov|mono|opus|flac\.ogg|live\.webm|whole)/.test(file),
);
/** Headers with some audio, complete and truncated. */
let starts: Uint8Array[];
beforeAll(async () => {
  const files = [
    ...(await makeFiles(chosen)).values(),
    anAmr({ frames: 50 }),
    anAu({ announced: 99, audio: bytes("x") }),
  ];
  starts = files.flatMap((file) => [file.subarray(0, 3000), file.subarray(0, 200), file.subarray(0, 20_000)]);
}, 60_000);

function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

const sizes = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 5 });
const magics = [
  "RIFF\0\0\0\0WAVE",
  "RIFF\0\0\0\0WAVEfmt \x10\0\0\0",
  "\xff\xfb",
  "\xff\xf1",
  "OggS\0",
  "fLaC",
  "#!AMR\n",
];
const moreMagics = [
  "\x1a\x45\xdf\xa3",
  "\0\0\0\x08ftyp",
  "\0\0\0\x08moov",
  "\0\0\0\x08moof\0\0\0\x08traf",
  "ID3",
  ".snd",
];

describe("any input", () => {
  test("rejects random bytes with the same message for any chunking", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 9000, size: "max" }), sizes, (random, split) => {
        const result = resultOf(random);
        expect(result.ok).toBe(false);
        expect(resultOf(random, split)).toEqual(result);
      }),
      { numRuns: 300 },
    );
  });

  test("handles random bytes after a magic number", () => {
    const magic = fc.constantFrom(...magics, ...moreMagics);
    fc.assert(
      fc.property(magic, fc.uint8Array({ maxLength: 400, size: "max" }), sizes, (word, random, split) => {
        const file = bytes(word, random);
        expect(resultOf(file, split)).toEqual(resultOf(file));
      }),
      { numRuns: 2000 },
    );
  });

  test("gives the same result for corrupted files with any chunking", () => {
    // Mostly in the headers, with typical boundary values.
    const place = fc.oneof(fc.nat(60), fc.nat(1000), fc.nat(20_000));
    const value = fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat(255));
    const mutations = fc.array(fc.tuple(place, value), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.nat(1000), mutations, sizes, (which, changes, split) => {
        const file = Uint8Array.from(starts[which % starts.length] ?? []);
        for (const [at, byte] of changes) file[at % file.length] = byte;
        expect(resultOf(file, split)).toEqual(resultOf(file));
      }),
      { numRuns: 3000 },
    );
  });
});

describe("resource usage", () => {
  const maxSize = be32(0xffff_fff0);
  const zeros = new Uint8Array(64 * 1024);
  const track = bytes(aBox("moov"), aBox("trak"), aBox("tkhd", Buffer.alloc(12), be32(1)));
  const fragment = bytes(aBox("moof"), aBox("traf"), aBox("tfhd", be32(0), be32(1)));
  const aacFrame = bytes([0xff, 0xf1, 0x50, 0x83, 0xff, 0xff, 0xfc], Buffer.alloc(8191 - 7));
  const endless = [
    ["a WAV chunk", bytes("RIFF", maxSize, "WAVELIST", maxSize)],
    ["a WAV format", bytes("RIFF", maxSize, "WAVEfmt ", le32(0xffff_fff0))],
    ["the audio of a WAV", aWav({ announced: 0xffff_ffff, audio: bytes("") })],
    ["the note of an AU file", anAu({ announced: 1, audio: bytes(""), audioAt: 0xffff_ffff })],
    ["an ID3 tag", bytes("ID3\x04\0\0\x7f\x7f\x7f\x7f")],
    ["the gap after an ID3 tag", bytes("ID3\x04\0\0\0\0\0\0")],
    ["an MP4 box", bytes(track, maxSize, "stsd")],
    ["a long MP4 box", bytes(track, be32(1), "stsd", maxSize, maxSize)],
    ["a run of samples", bytes(track, fragment, maxSize, "trun", [0, 0, 0xf, 1], maxSize)],
    ["a WebM element", bytes("\x1a\x45\xdf\xa3\x80\x86\x01\xff\0\0\0\0\0\0")],
    ["a row of AAC frames", bytes(""), Buffer.alloc(8 * aacFrame.length, aacFrame)],
  ] as const;

  test.each(endless)("buffers little of %s that never ends", async (_, header, chunk: Uint8Array = zeros) => {
    const before = heldBytes();
    const recogniser = recogniseRecording();
    recogniser.write(header);
    for (let times = 0; times < 1000; times++) recogniser.write(chunk);
    // V8 frees collected buffers in the background.
    await expect.poll(() => heldBytes() - before, { timeout: 5000 }).toBeLessThan(100 * 1024);
    expect(recogniser.end()).toBeDefined();
  });

  test("does not read the samples of a WAV: an hour takes as long as a minute", () => {
    const header = aWav({ announced: 57_600_000, audio: bytes("") });
    const largest = new Uint8Array(57_600_000);
    const recognise = (chunk: Uint8Array) => {
      const recogniser = recogniseRecording();
      recogniser.write(header);
      const started = performance.now();
      recogniser.write(chunk);
      return performance.now() - started;
    };
    const fastest = (chunk: Uint8Array) => Math.min(...Array.from({ length: 50 }, () => recognise(chunk)));
    const minute = fastest(largest.subarray(0, 960_000));
    expect(fastest(largest)).toBeLessThan(3 * minute + 1);
  });

  test.each([
    ["pages", bytes("OggS", Buffer.alloc(23))],
    ["boxes", bytes(aBox("moov"), aBox("mvhd"), aBox("free"), aBox("free"))],
    ["elements", bytes("\x1a\x45\xdf\xa3\x80\xec\x80")],
  ])("limits the work for a file of tiny %s", (_, unit) => {
    const recogniser = recogniseRecording();
    const chunk = Buffer.alloc(unit.length * 2000, unit);
    const began = process.cpuUsage();
    for (let sent = 0; sent < 500_000_000; sent += chunk.length) recogniser.write(chunk);
    expect(recogniser.end()).toBeDefined();
    expect(process.cpuUsage(began).user / 1e6).toBeLessThan(10);
  });
});
