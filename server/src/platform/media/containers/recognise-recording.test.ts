import { beforeAll, describe, expect, test } from "vitest";
import { aBox, anAmr, anAu, aWav, be32, bytes, le32 } from "../testing/handmade.ts";
import { makeFiles, resultOf, SECONDS, samples, videos } from "../testing/samples.ts";
import type { RecognitionResult } from "./recognise-recording.ts";

let files: Map<string, Buffer>;
beforeAll(async () => {
  files = await makeFiles([...samples, ...videos]);
}, 60_000);

function sampleFile(name: string): Buffer {
  const file = files.get(name);
  if (!file) throw new Error(`The sample ${name} does not exist.`);
  return file;
}

const sound = (size: number) => Buffer.alloc(size, 0x55);
const problemOf = (result: RecognitionResult) => (result.ok ? "none" : result.problem);

describe("files made by ffmpeg", () => {
  test.each(samples)("recognises $file", ({ file, facts, endless }) => {
    const result = resultOf(sampleFile(file));
    expect(result).toMatchObject({ ok: true, facts });
    const durationMs = result.ok ? result.facts.durationMs : null;
    if (endless) expect(durationMs).toBeNull();
    else expect(Math.abs((durationMs ?? 0) / 1000 - SECONDS)).toBeLessThan(SECONDS / 100);
  });

  test("gives the same result for any chunking", () => {
    for (const [name, file] of files) {
      const start = file.subarray(0, 100_000);
      const whole = resultOf(start, [start.length]);
      for (const sizes of [[1], [2, 3, 5, 7, 997], [13, 4096, 1, 65_536]])
        expect([name, resultOf(start, sizes)]).toEqual([name, whole]);
    }
  });

  test("accepts the audio of a video and rejects a video without audio", () => {
    expect(resultOf(sampleFile("film.mp4"))).toMatchObject({ ok: true, facts: { format: "m4a", codec: "aac" } });
    expect(resultOf(sampleFile("film.webm"))).toMatchObject({ ok: true, facts: { format: "webm", codec: "opus" } });
    for (const name of ["silent.mp4", "silent.webm", "silent.avi"])
      expect(problemOf(resultOf(sampleFile(name)))).toBe("recording_not_audio");
  });

  const cutSeen = samples.filter(
    ({ file, facts }) =>
      !["flac", "aac"].includes(facts.format) && file !== "plain.mp3" && !/^live.*(wav|au)$/.test(file),
  );
  test.each(cutSeen)("detects that $file is truncated", ({ file }) => {
    const whole = sampleFile(file);
    for (const share of [0.3, 0.6, 0.95])
      expect(problemOf(resultOf(whole.subarray(0, whole.length * share)))).toBe("recording_truncated");
  });

  test("detects that a FLAC file is truncated if it is shorter than its minimum size", () => {
    const whole = sampleFile("whole.flac");
    for (const size of [20, 60, whole.length * 0.1])
      expect(problemOf(resultOf(whole.subarray(0, size)))).toBe("recording_truncated");
  });

  test.each(["live.wav", "live-rf64.wav", "live.au"])("accepts %s, whose header was never completed", (file) => {
    const whole = sampleFile(file);
    const result = resultOf(whole.subarray(0, 80 + (whole.length - 80) / 3));
    expect(result).toMatchObject({ ok: true, facts: { unfinished: true } });
    expect(result.ok && Math.abs((result.facts.durationMs ?? 0) / 1000 - SECONDS / 3)).toBeLessThan(0.1);
  });

  test("accepts an Ogg file without its last page as unfinished", () => {
    const whole = sampleFile("speex.ogg");
    const result = resultOf(whole.subarray(0, whole.lastIndexOf("OggS")));
    expect(result).toMatchObject({ ok: true, facts: { unfinished: true } });
  });

  test("gives no duration for chained Ogg files", () => {
    const result = resultOf(bytes(sampleFile("opus.ogg"), sampleFile("speex.ogg")));
    expect(result).toMatchObject({ ok: true, facts: { codec: "opus", durationMs: null } });
  });

  test("skips ID3 tags of any size and finds the audio after a gap", () => {
    const audio = sampleFile("plain.mp3");
    const tag = bytes("ID3", [4, 0, 0, 0, 0x7f, 0, 0], Buffer.alloc(0x7f << 14));
    for (const file of [bytes(tag, audio), bytes(tag, tag, Buffer.alloc(1000), audio)])
      expect(resultOf(file)).toMatchObject({ ok: true, facts: { format: "mp3", sampleRate: 44_100 } });
    expect(resultOf(bytes(tag, sampleFile("whole.flac")))).toMatchObject({ ok: true, facts: { format: "flac" } });
    expect(problemOf(resultOf(tag))).toBe("recording_empty");
    expect(problemOf(resultOf(tag.subarray(0, 5000)))).toBe("recording_truncated");
  });

  test("ignores an implausible duration", () => {
    const whole = Buffer.from(sampleFile("index-last.m4a"));
    whole.writeUInt32BE(0xffff_fff0, whole.indexOf("tkhd") + 24);
    expect(resultOf(whole)).toMatchObject({ ok: true, facts: { durationMs: null } });
  });
});

describe("WAV and AU headers", () => {
  test("reports the declared and the received size", () => {
    const result = resultOf(aWav({ announced: 960_000, audio: sound(410_112) }));
    expect(result).toEqual({
      ok: false,
      problem: "recording_truncated",
      detail:
        "The WAV header declares 960,000 bytes of audio, but only 410,112 were received. Send the complete recording again.",
    });
  });

  test.each([
    ["a WAV file that lacks half a sample", aWav({ announced: 16_001, audio: sound(16_000) })],
    [
      "a WAV file with data after its audio",
      aWav({ announced: 16_000, audio: sound(16_000), after: bytes("LIST", le32(900)) }),
    ],
    ["a WAV file with a wrong block size", aWav({ announced: 16_000, audio: sound(16_000), blockBytes: 4 })],
    ["an AU file", anAu({ announced: 8000, audio: sound(8000) })],
    ["an AU file with an annotation", anAu({ announced: 8000, audio: sound(8008), audioAt: 32 })],
  ])("accepts %s", (_, file) => {
    expect(resultOf(file)).toMatchObject({ ok: true, facts: { durationMs: 1000, unfinished: false } });
  });

  test.each([0, 0x7fff_f000, 0x7fff_ffdb, 0x7fff_ffff, 0x8000_0000, 0xffff_ffdb, 0xffff_ffff])(
    "treats %i as a placeholder size",
    (announced) => {
      const facts = { unfinished: true, durationMs: 1000 };
      expect(resultOf(aWav({ announced, audio: sound(16_000) }))).toMatchObject({ ok: true, facts });
      expect(resultOf(anAu({ announced, audio: sound(8000) }))).toMatchObject({ ok: true, facts });
    },
  );

  test.each([
    ["no channels", aWav({ announced: 4, audio: sound(4), channels: 0 }), "0 channels"],
    ["65 channels", aWav({ announced: 4, audio: sound(4), channels: 65 }), "65 channels"],
    ["no sample rate", aWav({ announced: 4, audio: sound(4), sampleRate: 0 }), "0 Hz"],
    ["a sample rate of 1 GHz", aWav({ announced: 4, audio: sound(4), sampleRate: 1e9 }), "1,000,000,000 Hz"],
    ["a block size of 0", aWav({ announced: 4, audio: sound(4), blockBytes: 0 }), "block size of 0"],
    ["a sample size of 0", aWav({ announced: 4, audio: sound(4), bits: 0 }), "block size of 0"],
    ["no channels in AU", anAu({ announced: 4, audio: sound(4), channels: 0 }), "0 channels"],
    ["no format", bytes("RIFF", le32(20), "WAVEdata", le32(4), sound(4)), "fmt chunk"],
  ])("rejects %s", (_, file, message) => {
    expect(resultOf(file)).toMatchObject({ problem: "recording_not_audio", detail: expect.stringContaining(message) });
  });

  test("returns null for an unknown codec", () => {
    const file = aWav({ tag: 0x1234, announced: 16_000, audio: sound(16_000) });
    expect(resultOf(file)).toMatchObject({ ok: true, facts: { codec: null, durationMs: 1000 } });
  });
});

describe("AMR", () => {
  test("accepts narrowband and wideband", () => {
    const facts = { format: "amr", channels: 1, unfinished: false };
    expect(resultOf(anAmr({ frames: 500 }))).toEqual({
      ok: true,
      facts: { ...facts, codec: "amr_nb", sampleRate: 8000, durationMs: 10_000 },
    });
    const wide = bytes("#!AMR-WB\n", ...Array.from({ length: 50 }, () => bytes([0x44], sound(60))));
    expect(resultOf(wide)).toEqual({
      ok: true,
      facts: { ...facts, codec: "amr_wb", sampleRate: 16_000, durationMs: 1000 },
    });
  });

  test("gives no duration if pauses make frames unequal", () => {
    const facts = { codec: "amr_nb", durationMs: null };
    expect(resultOf(anAmr({ frames: 10, pauses: 10 }))).toMatchObject({ ok: true, facts });
    expect(resultOf(anAmr({ frames: 500, pauses: 1 }))).toMatchObject({ ok: true, facts });
  });
});

test.each([
  ["an empty file", bytes("")],
  ["a WAV file without audio", aWav({ announced: 0, audio: sound(0) })],
  [
    "a WAV file with a LIST chunk but no audio",
    aWav({ announced: 0, audio: sound(0), after: bytes("LIST", le32(4), "INFO") }),
  ],
  ["an AU file without audio", anAu({ announced: 0, audio: sound(0) })],
  ["an AU file with a placeholder size and no audio", anAu({ announced: 0xffff_ffff, audio: sound(0) })],
  ["an AMR file without frames", bytes("#!AMR\n")],
])("reports %s as empty", (_, file) => {
  expect(problemOf(resultOf(file))).toBe("recording_empty");
});

test("reports an Ogg file with only headers and a FLAC file with only metadata as empty", () => {
  const ogg = sampleFile("opus.ogg");
  const thirdPage = ogg.indexOf("OggS", ogg.indexOf("OggS", 4) + 4);
  expect(problemOf(resultOf(ogg.subarray(0, thirdPage)))).toBe("recording_empty");
  const flac = bytes(sampleFile("live.flac").subarray(0, 42));
  flac.writeUInt8(0x80, 4);
  expect(problemOf(resultOf(flac))).toBe("recording_empty");
});

test.each([
  ["an HLS playlist", bytes("#EXTM3U\n#EXT-X-VERSION:3\nhttp://10.0.0.1/a.ts\n"), "HLS playlist"],
  ["a DASH manifest", bytes('<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash">'), "DASH manifest"],
  ["a session description", bytes("v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\n"), "SDP"],
  ["a list of files", bytes("ffconcat version 1.0\nfile /etc/passwd\n"), "list of files"],
  ["a text", bytes("Get free calls today"), "a text file"],
  ["a page", bytes("<!DOCTYPE html><title>Login"), "HTML"],
  ["a document", bytes("%PDF-1.7\n"), "PDF"],
  ["an archive", bytes("PK\x03\x04\x14\0"), "ZIP"],
  ["a photograph", bytes("\xff\xd8\xff\xe0\0\x10JFIF\0"), "JPEG"],
  ["notes", bytes("MThd\0\0\0\x06\0\x01"), "MIDI"],
  ["another RIFF", bytes("RIFF", le32(4), "ACON"), "RIFF"],
  ["AMR of several channels", bytes("#!AMR_MC1.0\n\0\0\0\x02"), "multichannel"],
  ["zeros", Buffer.alloc(5000), "zeros"],
  ["a picture in an MP4", bytes(aBox("ftyp", "heic"), aBox("meta", le32(0)), aBox("mdat", sound(99))), "image"],
  ["one MP3 frame and noise", bytes([0xff, 0xfb, 0x90, 0x64], sound(2000)), "not MP3"],
  ["one AAC frame and noise", bytes([0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc], sound(2000)), "not AAC"],
])("rejects %s", (_, file, message) => {
  const result = resultOf(file);
  expect(result).toMatchObject({ problem: "recording_not_audio", detail: expect.stringContaining(message) });
  expect(result).toMatchObject({ detail: expect.stringContaining("Send a WAV, MP3") });
});

test("treats AMR as mono, regardless of the 3GP header", () => {
  const file = Buffer.from(sampleFile("mulaw.mov"));
  file.write("samr", file.indexOf("ulaw"), "latin1");
  file.writeUInt16BE(2, file.indexOf("samr") + 20);
  expect(resultOf(file)).toMatchObject({ ok: true, facts: { codec: "amr_nb", channels: 1, sampleRate: 8000 } });
});

test("rejects an MP4 file that references audio in another file", () => {
  const file = Buffer.from(sampleFile("index-first.m4a"));
  file.writeUInt32BE(0, file.indexOf("dref") + 20);
  expect(resultOf(file)).toMatchObject({ detail: expect.stringContaining("another file") });
});

test("rejects an MP4 file without an index, and one without the audio that the index lists", () => {
  const first = sampleFile("index-first.m4a");
  const last = sampleFile("index-last.m4a");
  expect(problemOf(resultOf(first.subarray(0, first.indexOf("mdat") - 4)))).toBe("recording_truncated");
  expect(problemOf(resultOf(last.subarray(0, last.indexOf("moov") - 4)))).toBe("recording_truncated");
});

test("reads MP4 boxes with long sizes", () => {
  const whole = sampleFile("index-last.m4a");
  const at = whole.indexOf("mdat") - 4;
  const size = whole.readUInt32BE(at);
  const long = bytes(whole.subarray(0, at), be32(1), "mdat", be32(0), be32(size + 8), whole.subarray(at + 8));
  expect(resultOf(long)).toEqual(resultOf(whole));
});
