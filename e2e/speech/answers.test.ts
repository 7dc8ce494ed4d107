import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { download, findCall, get } from "../support/http/call-details.ts";
import { importCall } from "../support/http/service.ts";
import { isRelease, scale } from "../support/run-scale.ts";
import {
  answerShapes,
  type Fault,
  markOf,
  openTranscriptionServer,
  type TranscriptionServer,
} from "../support/servers/transcription-server.ts";
import { openStack, type Stack } from "../support/stack/stack.ts";
import { say, until } from "../support/waiting.ts";
import { speakShortCall } from "./support/short-call.ts";
import { openSpeechService, type SpeechService, stepOf, textOf, waitForTranscript } from "./support/transcripts.ts";

const key = "sk-only-the-engine-knows";
const timeoutSeconds = 2;

let stack: Stack;
let engine: TranscriptionServer;
let speech: SpeechService;
let logs: () => string;

beforeAll(async () => {
  engine = await openTranscriptionServer();
  stack = await openStack(undefined, {
    TRANSCRIBER_URL: engine.url,
    TRANSCRIBER_MODEL: "whisper-e2e",
    TRANSCRIBER_API_KEY: key,
    TRANSCRIBER_TIMEOUT_SECONDS: String(timeoutSeconds),
  });
  const api = await stack.startApi();
  speech = await openSpeechService(stack, api.baseUrl);
  const worker = await stack.startWorker();
  logs = () => api.log() + worker.log();
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await engine?.shut();
});

/** Imports a call; the requests from now on are of this call. */
async function begin() {
  const from = engine.sent.length;
  const { id } = await importCall(speech.service, { file: await speakShortCall() });
  return { id, sent: () => engine.sent.slice(from) };
}

const events = async (callId: string) => {
  const { rows } = await stack.adminDb.query<{ type: string }>(
    "select type from event where type like 'call.trans%' and data->>'call_id' = $1 order by seq",
    [callId],
  );
  return rows.map(({ type }) => type);
};

describe("reads the answers of", () => {
  test.each(answerShapes)("%s", async (shape) => {
    engine.setShape(shape);
    engine.setFault(undefined);
    const { id, sent } = await begin();
    const transcript = await waitForTranscript(speech.service, id);
    const sounds = [...new Set(sent().map(({ sha256 }) => sha256))];
    expect(sounds).toHaveLength(2);
    const [first = "", second = ""] = sounds;
    // The agent speaks first, and the left channel is sent first.
    expect(textOf(transcript)).toBe(`${markOf(first)} and so on ${markOf(second)} and so on`);
    expect(transcript.turns.map(({ side }) => side)).toEqual(["agent", "customer"]);
    expect(transcript).toMatchObject({ engine: "server", model: "whisper-e2e" });
    expect(sent()[0]).toMatchObject({
      language: "en",
      model: "whisper-e2e",
      responseFormat: "verbose_json",
      granularities: ["word", "segment"],
      authorization: `Bearer ${key}`,
    });
    // Groq refuses word times: the first sound is sent again without them, and the second one at once.
    expect(sent()).toHaveLength(shape === "groq" ? 3 : 2);
    expect(await events(id)).toEqual(["call.transcribed"]);
  });
});

const rarelyTested: readonly Fault[] = [
  { kind: "status", status: 429, text: "slow down" },
  { kind: "status", status: 503, text: "<html>busy</html>" },
  { kind: "hang up" },
  { kind: "other JSON" },
  { kind: "HTML" },
];
const passing: readonly Fault[] = [
  { kind: "status", status: 500, text: "error: failed to process audio" },
  { kind: "status", status: 401, text: "invalid api key" },
  { kind: "cut off" },
  { kind: "half JSON" },
  // Of 20 minutes, or forever: the worker gives up before.
  { kind: "stall" },
  ...scale([], [], rarelyTested),
];

describe("a call is transcribed although the engine's first answer is", () => {
  test.each(passing.map((fault) => [fault.kind === "status" ? String(fault.status) : fault.kind, fault] as const))(
    "%s",
    async (_, fault) => {
      engine.setShape("openai");
      engine.setFault((nth) => (nth === 0 ? fault : undefined));
      const { id, sent } = await begin();
      await waitForTranscript(speech.service, id);
      const sounds = new Set(sent().map(({ sha256 }) => sha256));
      expect(sounds.size).toBe(2);
      expect(sent()).toHaveLength(3);
      expect(await events(id)).toEqual(["call.transcribed"]);
    },
  );
});

test("inventions are dropped: what Whisper writes for silence, and sentences that repeat themselves", async () => {
  engine.setFault({ kind: "invented" });
  const { id } = await begin();
  const text = textOf(await waitForTranscript(speech.service, id));
  expect(text.match(/subscribe/g)?.length ?? 0).toBeLessThanOrEqual(2);
});

test("a sound that the engine refuses: the call is playable, says why, and is transcribed on request", async () => {
  engine.setFault({ kind: "status", status: 415, text: "unsupported audio" });
  const { id } = await begin();
  await until("transcription failed", 60_000, async () => (await stepOf(speech.service, id))?.state === "failed", 100);
  const call = await findCall(speech.service, id);
  expect(call.status).toBe("ready");
  expect((await download(speech.service, `/calls/${id}/audio`)).length).toBeGreaterThan(1_000);
  expect(call.steps).toContainEqual(
    expect.objectContaining({
      step: "transcribe",
      state: "failed",
      reason: expect.objectContaining({
        code: "engine_refused",
        detail: "The transcription server answered 415: unsupported audio.",
      }),
    }),
  );
  const missing = await get<{ code: string }>(speech.service, `/calls/${id}/transcript`);
  expect(missing).toMatchObject({ status: 404, body: { code: "transcript_not_found" } });
  engine.setFault(undefined);
  expect((await speech.client.ask("POST", `/calls/${id}/transcribe`)).status).toBe(202);
  await waitForTranscript(speech.service, id);
  expect(await events(id)).toEqual(["call.transcription_failed", "call.transcribed"]);
});

test.runIf(isRelease)("answers that are never valid: the call says so after four attempts", async () => {
  engine.setFault({ kind: "half JSON" });
  const { id, sent } = await begin();
  await until("transcription failed", 170_000, async () => (await stepOf(speech.service, id))?.state === "failed", 100);
  say(`given up after ${sent().length} requests`);
  expect(sent().length).toBeLessThanOrEqual(4);
  expect(await events(id)).toEqual(["call.transcription_failed"]);
  engine.setFault(undefined);
});

test("neither the engine's key nor what it understood is in the logs", () => {
  const marks = engine.sent.map(({ sha256 }) => markOf(sha256));
  expect([key, ...marks].filter((word) => logs().includes(word))).toEqual([]);
});
