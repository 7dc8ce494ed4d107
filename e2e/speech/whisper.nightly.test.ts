// Nightly, and for changes in: dev/whisper-server
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importCall } from "../support/http/service.ts";
import { type SpokenCall, speakTelephoneCall } from "../support/recordings/telephone-speech.ts";
import { isRelease } from "../support/run-scale.ts";
import { freePort } from "../support/stack/free-port.ts";
import { openStack, type Stack } from "../support/stack/stack.ts";
import { percentile, say, until } from "../support/waiting.ts";
import { compareWords } from "./support/compare-words.ts";
import {
  openSpeechService,
  type SpeechService,
  type Transcript,
  waitForTranscript,
  wordsOf,
} from "./support/transcripts.ts";
import { twoMinutes } from "./support/two-minutes.ts";

/* The real whisper.cpp, which is built for minutes: only with --full. */

let server: ChildProcess | undefined;
let stack: Stack | undefined;
let speech: SpeechService;
let spoken: SpokenCall;
let transcript: Transcript;

beforeAll(async () => {
  if (!isRelease) return;
  const port = await freePort();
  server = spawn(join(import.meta.dirname, "../../dev/whisper-server"), [String(port)], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  await until(
    "whisper.cpp is ready",
    1_800_000,
    async () => {
      if (server?.exitCode !== null) throw new Error("whisper.cpp did not start");
      return fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
    },
    500,
  );
  spoken = await speakTelephoneCall(twoMinutes);
  stack = await openStack(undefined, { TRANSCRIBER_URL: url, TRANSCRIBER_TIMEOUT_SECONDS: "600" });
  const api = await stack.startApi();
  speech = await openSpeechService(stack, api.baseUrl);
  await stack.startWorker();
  const { id } = await importCall(speech.service, { file: spoken.recording });
  transcript = await waitForTranscript(speech.service, id, 1_200_000);
}, 3_600_000);
afterAll(async () => {
  await stack?.stop();
  server?.kill("SIGKILL");
});

test.runIf(isRelease).each(["agent", "customer"] as const)("whisper.cpp: words, sides and times of the %s", (side) => {
  const { errorRate, startErrors, endErrors } = compareWords(spoken.words[side], wordsOf(transcript, side));
  const [start, end] = [percentile(startErrors, 0.5), percentile(endErrors, 0.5)];
  say(
    `${side}: ${(errorRate * 100).toFixed(1)} % of ${spoken.words[side].length} words are wrong; median error of the start ${start} ms, of the end ${end} ms`,
  );
  expect(errorRate).toBeLessThanOrEqual(0.1);
  expect(start).toBeLessThanOrEqual(150);
  expect(transcript.engine).toBe("server");
});
