import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openServerEngine } from "./server-engine.ts";

/** Answers as a test says, and keeps what it was sent. */
let server: Server;
let url: string;
let answers: ((response: ServerResponse) => void)[] = [];
let received: { body: string; authorization: string | undefined }[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ body: Buffer.concat(chunks).toString("latin1"), authorization: request.headers.authorization });
    answers.shift()?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  answers = [];
  received = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const json =
  (body: unknown, status = 200) =>
  (response: ServerResponse) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
const text = (body: string, status: number) => (response: ServerResponse) => {
  response.writeHead(status).end(body);
};
const sound = { samples: new Int16Array(16_000 * 2), language: "en-GB" };

function transcribe(...given: ((response: ServerResponse) => void)[]) {
  answers = given;
  return openServerEngine({ url, model: "whisper-1", apiKey: "secret-key", timeoutMs: 1_000 }).transcribe(sound);
}

const hello = { text: "Hello", startMs: 100, endMs: 400, probability: null };

test("sends a WAV file with all options, and the key", async () => {
  await transcribe(json({ text: "", words: [] }));
  const { body, authorization } = received[0] ?? { body: "", authorization: "" };
  expect(authorization).toBe("Bearer secret-key");
  for (const part of ['name="timestamp_granularities[]"', "verbose_json", "whisper-1", "speech.wav", "RIFF"])
    expect(body).toContain(part);
  expect(body.match(/name="language"\r\n\r\n(\w+)\r\n/)?.[1]).toBe("en");
});

test("words at the top level (OpenAI)", async () => {
  const words = [
    { word: "Hello", start: 0.1, end: 0.4 },
    { word: "you.", start: 0.5, end: 0.7 },
  ];
  expect(await transcribe(json({ text: "Hello you.", words, segments: [] }))).toEqual([
    hello,
    { text: "you.", startMs: 500, endMs: 700, probability: null },
  ]);
});

test("tokens within segments (whisper.cpp) are joined at their spaces", async () => {
  const words = [
    { word: " Can", start: 0.1, end: 0.3, probability: 0.9 },
    { word: "cel", start: 0.3, end: 0.5, probability: 0.6 },
    { word: ".", start: 0.5, end: 0.6, probability: 0.99 },
    { word: " Now", start: 0.8, end: 0.9, probability: 0.8 },
  ];
  expect(await transcribe(json({ segments: [{ start: 0, end: 1, text: " Cancel. Now", words }] }))).toEqual([
    { text: "Cancel.", startMs: 100, endMs: 600, probability: 0.6 },
    { text: "Now", startMs: 800, endMs: 900, probability: 0.8 },
  ]);
});

test("moments of tokens (whisper.cpp --dtw): times are estimated from them, across segments", async () => {
  const token = (word: string, t_dtw: number) => ({ word, start: 0, end: 9, t_dtw });
  const first = [token(" Hello", 60), token(",", 80), token(" can", 100), token("cel", 120)];
  const second = [token(" now", 300), token(".", 310)];
  const segments = [
    { start: 0, end: 5, text: " Hello, cancel", words: first },
    { start: 5, end: 9, text: " now.", words: second },
  ];
  expect(await transcribe(json({ segments }))).toEqual([
    { text: "Hello,", startMs: 350, endMs: 800, probability: null },
    { text: "cancel", startMs: 760, endMs: 1_550, probability: null },
    { text: "now.", startMs: 2_750, endMs: 3_350, probability: null },
  ]);
});

test("times that whisper.cpp guesses: a word may be anywhere in its segment, and a second before or after it", async () => {
  const words = [
    { word: " Hello", start: 2.1, end: 2.4, t_dtw: -1 },
    { word: " you", start: 2.5, end: 2.7, t_dtw: -1 },
  ];
  const within = { startMs: 1_000, endMs: 4_000 };
  expect(await transcribe(json({ segments: [{ start: 2, end: 3, text: " Hello you", words }] }))).toEqual([
    { text: "Hello", startMs: 2_100, endMs: 2_400, probability: null, within },
    { text: "you", startMs: 2_500, endMs: 2_700, probability: null, within },
  ]);
});

test("one missing moment: no word of the answer has a certain time; a segment without text is ignored", async () => {
  const segments = [
    { start: 0, end: 1, text: " Hello", words: [{ word: " Hello", start: 0.1, end: 0.4, t_dtw: 30 }] },
    { start: 4, end: 5, text: " you", words: [{ word: " you", start: 4.1, end: 4.4, t_dtw: -1 }] },
  ];
  const heard = await transcribe(json({ segments }));
  expect(heard.map(({ within }) => within)).toEqual([
    { startMs: 0, endMs: 2_000 },
    { startMs: 3_000, endMs: 6_000 },
  ]);
  const empty = { start: 1, end: 2, text: "", words: [] };
  const [hello] = await transcribe(json({ segments: [segments[0], empty] }));
  expect(hello).toEqual({ text: "Hello", startMs: 120, endMs: 650, probability: null });
});

test("segments without words (vLLM), words that are null (LocalAI): the text is spread over its time", async () => {
  const segments = [{ start: 1, end: 2, text: " abc def", words: null }];
  const within = { startMs: 1_000, endMs: 2_000 };
  const expected = [
    { text: "abc", startMs: 1_000, endMs: 1_500, probability: null, within },
    { text: "def", startMs: 1_500, endMs: 2_000, probability: null, within },
  ];
  expect(await transcribe(json({ text: "abc def", words: null, segments }))).toEqual(expected);
});

test("a word with spaces is several words", async () => {
  const words = [{ word: "4929 1234", start: 1, end: 2 }];
  expect((await transcribe(json({ words }))).map(({ text, startMs }) => [text, startMs])).toEqual([
    ["4929", 1_000],
    ["1234", 1_500],
  ]);
});

test("only a text: it is spread over the sound", async () => {
  expect(await transcribe(json({ text: "abc" }))).toEqual([
    { text: "abc", startMs: 0, endMs: 2_000, probability: null, within: { startMs: 0, endMs: 2_000 } },
  ]);
});

test("a segment that is silence is dropped", async () => {
  const segments = [{ start: 0, end: 2, text: "Thank you for watching", no_speech_prob: 0.95 }];
  expect(await transcribe(json({ text: "Thank you for watching", segments }))).toEqual([]);
});

test("word times refused (Groq): asks once more without them", async () => {
  const refusal = json({ error: { message: "timestamp_granularities is not supported" } }, 400);
  expect(await transcribe(refusal, json({ words: [{ word: "Hello", start: 0.1, end: 0.4 }] }))).toEqual([hello]);
  expect(received).toHaveLength(2);
  expect(received[1]?.body).not.toContain("timestamp_granularities");
});

test("word times refused to several requests at once, and to none after them", async () => {
  const engine = openServerEngine({ url, model: "whisper-1", apiKey: undefined, timeoutMs: 5_000 });
  const words = json({ words: [{ word: "Hello", start: 0.1, end: 0.4 }] });
  const refused: ServerResponse[] = [];
  const refuseBoth = (response: ServerResponse) => {
    refused.push(response);
    if (refused.length === 2) for (const one of refused) json({ error: "unsupported" }, 400)(one);
  };
  answers = [refuseBoth, refuseBoth, words, words];
  expect(await Promise.all([engine.transcribe(sound), engine.transcribe(sound)])).toEqual([[hello], [hello]]);
  answers = [words];
  expect(await engine.transcribe(sound)).toEqual([hello]);
  const asked = received.map(({ body }) => body.includes("timestamp_granularities"));
  expect(asked).toEqual([true, true, false, false, false]);
});

test.each([
  ["503", [text("Four nine two nine\n", 503)], "engine_unavailable", "answered 503."],
  ["429", [json({ error: { message: "Rate limit" } }, 429)], "engine_unavailable", "answered 429: Rate limit."],
  ["401", [json({ detail: "Bad key" }, 401)], "engine_refused", "answered 401: Bad key."],
  ["a redirect", [text("", 302)], "engine_refused", "Set TRANSCRIBER_URL to the address that it redirects to."],
  ["400 twice", [text("no", 400), text("unknown format", 400)], "engine_refused", "answered 400: unknown format."],
  ["half JSON", [text('{"text": "hel', 200)], "engine_answer_invalid", "is not JSON"],
  ["another format", [json({ words: [{ w: "x" }] })], "engine_answer_invalid", "verbose_json"],
  ["too long", [text(`"${"x".repeat(5_000_000)}"`, 200)], "engine_answer_invalid", "too large"],
  ["no answer", [() => {}], "engine_unavailable", "did not answer within 1 s"],
  [
    "a closed connection",
    [(response: ServerResponse) => response.destroy()],
    "engine_unavailable",
    "cannot be reached",
  ],
] as const)("%s", async (_, given, code, message) => {
  await expect(transcribe(...given)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
});

test("stops when asked to", async () => {
  const stopping = new AbortController();
  answers = [() => stopping.abort(new Error("the worker stops"))];
  const engine = openServerEngine({ url, model: "whisper-1", timeoutMs: 5_000 });
  await expect(engine.transcribe(sound, stopping.signal)).rejects.toThrow("the worker stops");
});
