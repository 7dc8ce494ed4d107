import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { storedRows } from "../support/data/stored-rows.ts";
import { expectProblem } from "../support/http/expect-problem.ts";
import { begin, multipart, type Part, send } from "../support/http/http.ts";
import { callParts, fileFirst, importCall, postCall } from "../support/http/service.ts";
import {
  type EncodedForm,
  encode,
  encodedForms,
  encodersHere,
  makeAmr,
  makeWav,
} from "../support/recordings/sounds.ts";
import { local, target, testLocally } from "../support/stack/target.ts";

const encoders = await encodersHere();
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const asFile = (value: Uint8Array, filename: string, type?: string): Part => ({
  name: "file",
  value,
  filename,
  ...(type !== undefined && { type }),
});

/** Accepted values of `recording.format`. */
const called: Record<string, RegExp> = {
  wav: /wav/i,
  mp3: /mp3|mpeg/i,
  m4a: /m4a|mp4|aac/i,
  ogg: /ogg|opus/i,
  flac: /flac/i,
  webm: /webm|matroska/i,
  au: /^au$|^snd$|basic|sun/i,
  amr: /amr/i,
};

describe("docs/integrating.md: formats: WAV (PCM, µ-law, A-law, GSM 6.10, ADPCM), MP3, M4A/AAC, Ogg/Opus, FLAC, AMR, WebM, AU", () => {
  test.each([
    ["pcm", 1, 8000],
    ["pcm", 2, 44_100],
    ["mulaw", 1, 8000],
    ["mulaw", 2, 8000],
    ["alaw", 1, 8000],
    ["alaw", 2, 16_000],
  ] as const)("WAV, made by hand: %s, %i channels, %i Hz", async (encoding, channels, sampleRate) => {
    const file = makeWav({ encoding, channels, sampleRate, seconds: 1 });
    expect((await importCall(target, { file })).recording).toMatchObject({
      format: expect.stringMatching(/wav/i),
      bytes: file.length,
      sha256: sha256(file),
      codec: expect.stringMatching({ pcm: /pcm/i, mulaw: /mu|μ|µ|ulaw|g\.?711/i, alaw: /a-?_?law|g\.?711/i }[encoding]),
      channels,
      sample_rate: sampleRate,
      duration_ms: 1000,
    });
  });

  test.for(Object.keys(encodedForms) as EncodedForm[])("%s", async (form, { skip }) => {
    const { encoder, extension } = encodedForms[form];
    skip(!encoders.has(encoder), `this machine's ffmpeg has no encoder ${encoder}`);
    const file = await encode(makeWav({ seconds: 2, sampleRate: 16_000 }), form);
    const { recording } = await importCall(target, { file: asFile(file, `call.${extension}`) });
    expect(recording).toMatchObject({ bytes: file.length, sha256: sha256(file) });
    expect(recording.format).toMatch(called[extension] ?? /^$/);
    // The container need not contain every field, but those present must be right.
    expect(recording.channels ?? 1).toBe(form.includes("24 bit") ? 2 : 1);
    expect(Math.abs((recording.duration_ms ?? 2000) - 2000)).toBeLessThan(200);
  });

  test("AMR", async () => {
    const file = makeAmr();
    const { recording } = await importCall(target, { file: asFile(file, "call.amr") });
    expect(recording).toMatchObject({ bytes: file.length, sha256: sha256(file) });
    expect(recording.format).toMatch(called.amr ?? /^$/);
  });

  test("a .wav file", async () => {
    const call = await importCall(target, { file: asFile(makeWav(), "recording.wav", "audio/wav") });
    expect(call.recording.format).toMatch(/wav/i);
  });

  test("a WAV with other chunks around its samples", async () => {
    const wav = makeWav({ seconds: 1 });
    const list = Buffer.from("LIST\x06\x00\x00\x00INFOxx", "latin1");
    const file = Buffer.concat([wav.subarray(0, 36), list, wav.subarray(36), list]);
    file.writeUInt32LE(file.length - 8, 4);
    expect((await importCall(target, { file })).recording).toMatchObject({ bytes: file.length, duration_ms: 1000 });
  });
});

describe("docs/integrating.md: the content decides the format, not the file name or type", () => {
  test.each([
    ["call.mp3", "audio/mpeg"],
    ["call.txt", "text/plain"],
    ["call", "application/octet-stream"],
    ["call.wav", "image/png"],
    ["call.wav", undefined],
    ["réunion été.wav", "audio/wav"],
    ["通话录音 ☎.wav", "audio/wav"],
    ["../../etc/passwd", "audio/wav"],
    ["C:\\calls\\call.wav", "audio/x-wav"],
    ["", "audio/wav"],
  ])("a WAV named %j and declared %s is a WAV", async (filename, type) => {
    expect((await importCall(target, { file: asFile(makeWav(), filename, type) })).recording.format).toMatch(/wav/i);
  });

  test("a FLAC named .wav and declared audio/wav is a FLAC", async () => {
    const file = await encode(makeWav(), "flac");
    expect((await importCall(target, { file })).recording.format).toMatch(/flac/i);
  });

  test("accepts a file name as filename*=", async () => {
    const headers = [
      `Content-Disposition: form-data; name="file"; filename="call.wav"; filename*=UTF-8''%C3%A9t%C3%A9.wav`,
    ];
    expect((await importCall(target, { file: { name: "file", value: makeWav(), headers } })).recording.format).toMatch(
      /wav/i,
    );
  });
});

const riff = (form: string) => {
  const file = Buffer.concat([makeWav()]);
  file.write(form, 8, "latin1");
  return file;
};

const notAudio: [string, Uint8Array][] = [
  ["a text", Buffer.from("This call may be recorded.\n".repeat(100))],
  ["one byte", Buffer.from("R")],
  ["JSON", Buffer.from('{"file":"call.wav"}')],
  ["HTML", Buffer.from("<!doctype html><title>call.wav</title>")],
  ["a PNG", Buffer.concat([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), randomBytes(500)])],
  ["a PDF", Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n")],
  ["a ZIP", Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), randomBytes(500)])],
  ["zeros", Buffer.alloc(10_000)],
  ["a RIFF file other than WAVE", riff("AVI ")],
  ["a playlist", Buffer.from("#EXTM3U\n#EXTINF:10,\nhttp://127.0.0.1:1/\n")],
];

/** Truncates a file. */
const cut = (file: Buffer, share: number) => file.subarray(0, Math.floor(file.length * share));

describe("docs/errors.md: invalid recordings: 422", () => {
  test.each([
    ["fields first", callParts],
    ["file first", fileFirst],
  ])("recording_empty: %s", async (_, order) => {
    const parts = order(target, { file: Buffer.alloc(0) });
    expectProblem(await postCall(target, parts), 422, "recording_empty");
  });

  test.each(notAudio)("recording_not_audio: %s named call.wav and declared audio/wav", async (_, file) => {
    for (const parts of [callParts(target, { file }), fileFirst(target, { file })]) {
      expectProblem(await postCall(target, parts), 422, "recording_not_audio");
    }
  });

  test.each([0.99, 0.5, 0.1])("recording_truncated: the first %d of a WAV", async (share) => {
    const file = cut(makeWav({ seconds: 2 }), share);
    for (const parts of [callParts(target, { file }), fileFirst(target, { file })]) {
      expectProblem(await postCall(target, parts), 422, "recording_truncated");
    }
  });

  test("recording_truncated: a WAV of several megabytes without its last 1,000 bytes", async () => {
    const file = makeWav({ seconds: 200, sampleRate: 16_000 }).subarray(0, -1000);
    expectProblem(await postCall(target, fileFirst(target, { file })), 422, "recording_truncated");
  });

  test.each([
    "au mu-law",
    "m4a aac",
    "m4a aac, index first",
    "webm opus",
    "mp3",
    "wav gsm 6.10",
    "wav mu-law",
  ] as const)("cut short against its own header: recording_truncated: half of %s", async (form) => {
    const file = cut(await encode(makeWav({ seconds: 2, sampleRate: 16_000 }), form), 0.5);
    expectProblem(await postCall(target, callParts(target, { file })), 422, "recording_truncated");
  });

  testLocally("a rejected recording leaves nothing behind", async () => {
    const before = await storedRows(local());
    const refused = [
      Buffer.alloc(0),
      Buffer.from("no audio"),
      cut(makeWav({ seconds: 2 }), 0.5),
      cut(makeWav({ seconds: 200 }), 0.5),
    ];
    for (const file of refused) {
      expectProblem(await postCall(target, callParts(target, { file })), 422);
      expectProblem(await postCall(target, fileFirst(target, { file })), 422);
    }
    await expect.poll(() => storedRows(local()), { timeout: 10_000 }).toEqual(before);
  });
});

describe("docs/errors.md: recording_too_large: 413, immediately if Content-Length is set", () => {
  const announce = (baseUrl: string, bytes: number) =>
    begin(`${baseUrl}/calls/audio`, {
      headers: {
        "x-api-key": target.apiKey,
        "content-type": "multipart/form-data; boundary=x",
        "content-length": String(bytes),
        expect: "100-continue",
      },
    });

  testLocally("512 MiB by default", async () => {
    const less = announce(target.baseUrl, 512 * 1024 * 1024);
    expect(await less.continued).toBe(true);
    less.cut();
    const more = announce(target.baseUrl, 600 * 1024 * 1024);
    expect(await more.continued).toBe(false);
    expectProblem(await more.answer, 413, "recording_too_large");
    more.cut();
  });

  testLocally("accepts exactly the configured size, and rejects one byte more with 413", async () => {
    const file = makeWav({ seconds: 5 });
    const api = await local().startApi({ env: { MAX_RECORDING_BYTES: String(file.length) } });
    const service = { ...target, baseUrl: api.baseUrl };
    const before = await storedRows(local());
    expect((await importCall(service, { file })).recording.bytes).toBe(file.length);
    const after = await storedRows(local());
    expect(after.calls).toBe(before.calls + 1);

    const larger = Buffer.concat([file, Buffer.from("x")]);
    for (const chunked of [false, true]) {
      for (const parts of [callParts(service, { file: larger }), fileFirst(service, { file: larger })]) {
        expectProblem(await postCall(service, parts, { chunked }), 413, "recording_too_large");
      }
    }
    await expect.poll(() => storedRows(local()), { timeout: 10_000 }).toEqual(after);
    await api.stop();
  });

  testLocally("413 immediately if Content-Length exceeds the limit", async () => {
    const api = await local().startApi({ env: { MAX_RECORDING_BYTES: "200000" } });
    const request = begin(`${api.baseUrl}/calls/audio`, {
      headers: {
        "x-api-key": target.apiKey,
        "content-type": "multipart/form-data; boundary=x",
        "content-length": "20000000",
      },
    });
    expectProblem(await request.answer, 413, "recording_too_large");
    request.cut();
    const asked = announce(api.baseUrl, 20_000_000);
    expect(await asked.continued).toBe(false);
    expectProblem(await asked.answer, 413, "recording_too_large");
    asked.cut();
    // A graceful stop would wait for bodies that never arrive.
    await api.kill();
  });

  testLocally("413 without Content-Length, before the body ends", async () => {
    const api = await local().startApi({ env: { MAX_RECORDING_BYTES: "200000" } });
    const { pieces, contentType } = multipart(fileFirst(target, { file: makeWav({ seconds: 60 }) }));
    const headers = { "x-api-key": target.apiKey, "content-type": contentType };
    const conversation = begin(`${api.baseUrl}/calls/audio`, { headers });
    await conversation.write(pieces[0]?.subarray(0, 400_000) ?? "");
    expectProblem(await conversation.answer, 413, "recording_too_large");
    conversation.cut();

    const whole = Buffer.alloc(20_000_000);
    const sent = await send(`${api.baseUrl}/calls/audio`, { headers, body: whole });
    expectProblem(sent, 413, "recording_too_large");
    // A graceful stop would wait for bodies that never arrive.
    await api.kill();
  });
});
