import { expect } from "vitest";
import { sha256 } from "../../support/http/call-details.ts";
import { KB } from "../../support/recordings/recordings.ts";
import { scale } from "../../support/run-scale.ts";
import { until } from "../../support/waiting.ts";
import { expectUnavailable, heal, inject, limits, type Outcome, type Triggers } from "./cell.ts";
import { type Lane, recordingBytes } from "./lane.ts";
import type { Cell } from "./matrix.ts";

const triggers: Triggers = {
  database: {
    start: undefined,
    middle: { request: /\0is-listening\0/ },
    completion: { request: /\0begin-listening\0/ },
  },
  store: {
    start: undefined,
    middle: { responseBytes: recordingBytes.api / 2 },
    completion: { responseBytes: recordingBytes.api - 64 * KB },
  },
};

/** A playback that is slow, but still delivers something after this time, is not waited for. Longer than a stall is noticed. */
const watchedMs = scale(8_000, 8_000, 20_000);
const progressMs = 5_000;

/** Requests the original recording. `progress` shows what has arrived so far. */
function play({ service: { baseUrl, apiKey }, call }: Lane) {
  const since = performance.now();
  const progress = { status: 0, answerMs: Number.POSITIVE_INFINITY, lastByte: 0 };
  async function read() {
    const url = `${baseUrl}/calls/${call.id}/audio?original=true`;
    const { status, headers, body } = await fetch(url, { headers: { "x-api-key": apiKey } });
    Object.assign(progress, { status, answerMs: performance.now() - since });
    const chunks: Uint8Array[] = [];
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      progress.lastByte = performance.now();
    }
    return { status, headers: Object.fromEntries(headers), bytes: Buffer.concat(chunks) };
  }
  return { progress, ended: read().catch((error: Error) => error) };
}

function expectWhole({ call }: Lane, answer: Awaited<ReturnType<typeof play>["ended"]>): void {
  if (answer instanceof Error) throw answer;
  expect([answer.status, sha256(answer.bytes)]).toEqual([200, call.recording.sha256]);
}

/** A playback meets a fault. It is answered by 200 or 503; once it has begun, it may be cut or slow, but never wrong. */
export async function playDuring(lane: Lane, cell: Cell): Promise<Outcome> {
  // The playback is recorded only once in 30 minutes.
  await lane.stack.adminDb.query("delete from listening where call_id = $1", [lane.call.id]);
  inject(lane, cell, triggers);
  const { progress, ended } = play(lane);
  const since = performance.now();
  let result: Awaited<typeof ended> | undefined;
  void ended.then((answer) => {
    result = answer;
  });
  const isSlow = () => performance.now() - since > watchedMs && performance.now() - progress.lastByte < progressMs;
  const answer = await until(
    "the playback ends, or continues slowly",
    limits.answerMs,
    () => result ?? (isSlow() ? "slow" : undefined),
  );
  const { status, answerMs } = progress;
  const healthyMs = await heal(lane, cell);
  expectWhole(lane, await play(lane).ended);
  const outcome = { answerMs, healthyMs };
  if (answer === "slow") {
    expectWhole(lane, await ended);
    return { ...outcome, result: `${status}, slow` };
  }
  if (answer instanceof Error) {
    // Only a playback that has begun may end without an answer.
    expect(status, answer.message).toBe(200);
    return { ...outcome, result: `${status}, cut` };
  }
  const text = answer.bytes.toString();
  if (status === 200) expectWhole(lane, answer);
  else expectUnavailable({ ...answer, text, body: JSON.parse(text), continued: false });
  return { ...outcome, result: String(status) };
}
