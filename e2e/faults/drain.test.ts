import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findDamage, noDamage } from "../support/data/damage-report.ts";
import { begin, multipart } from "../support/http/http.ts";
import type { Call } from "../support/http/service.ts";
import { KB, makeRecording, partsOf, serviceAt } from "../support/recordings/recordings.ts";
import { scale } from "../support/run-scale.ts";
import { openStack, type Stack, unlimited } from "../support/stack/stack.ts";
import { openStore, type Store } from "../support/stack/store.ts";

const times = scale(1, 3, 20);
const uploads = 20;

let stack: Stack;
let store: Store;

beforeAll(async () => {
  stack = await openStack(undefined, unlimited);
  store = openStore(stack);
});
afterAll(async () => {
  await stack?.stop();
  await store?.close();
});

/** An upload after "100 Continue", with `share` of its body sent. */
async function beginUpload(port: number, share: number) {
  const service = serviceAt(stack, port);
  const recording = makeRecording(500 * KB);
  const { contentType, body } = multipart(partsOf(service, recording));
  const conversation = begin<Call>(`${service.baseUrl}/calls/audio`, {
    headers: {
      "x-api-key": service.apiKey,
      "content-type": contentType,
      "content-length": String(body.length),
      expect: "100-continue",
    },
  });
  if (!(await conversation.continued)) throw new Error(`rejected: ${(await conversation.answer).text}`);
  let sent = Math.floor(body.length * share);
  await conversation.write(body.subarray(0, sent));
  return {
    recording,
    answer: conversation.answer,
    /** Sends the rest in steps, like a slow connection. */
    async finish() {
      const step = Math.ceil((body.length - sent) / 10);
      for (; sent < body.length; sent += step) {
        await conversation.write(body.subarray(sent, sent + step));
        await sleep(50);
      }
      conversation.end();
      return conversation.answer;
    },
  };
}

test(`of ${uploads} uploads in flight at a SIGTERM none fails (${times}x)`, { timeout: times * 60_000 }, async () => {
  const acknowledged = new Map<string, string>();
  for (let time = 0; time < times; time++) {
    const api = await stack.startApi();
    const inFlight = await Promise.all(
      Array.from({ length: uploads }, (_, n) => beginUpload(api.port, 0.02 + (n / uploads) * 0.95)),
    );
    const exitCode = api.stop();
    const answers = await Promise.all(inFlight.map((upload) => upload.finish()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const late = sleep(60_000, "still running", { ref: false });
    expect(await Promise.race([exitCode, late])).toBe(0);
    for (const [n, { body }] of answers.entries()) acknowledged.set(inFlight[n]?.recording.sha256 ?? "", body.id);
  }
  expect(acknowledged.size).toBe(times * uploads);
  expect(await findDamage(stack, store, acknowledged)).toEqual(noDamage);
});
