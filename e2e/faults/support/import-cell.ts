import { makeRecording, tryImport } from "../../support/recordings/recordings.ts";
import { acknowledge, expectUnavailable, heal, inject, type Outcome, type Triggers } from "./cell.ts";
import { type Lane, recordingBytes } from "./lane.ts";
import type { Cell } from "./matrix.ts";

const triggers: Triggers = {
  // The names of prepared statements.
  database: { start: undefined, middle: { request: /\0stage\0/ }, completion: { request: /\0insert-calls\0/ } },
  store: { start: undefined, middle: { request: /partNumber=2/ }, completion: { request: /^POST \S+uploadId=/ } },
};

/** An import meets a fault. It is answered by 200 or 503, and repeating it gives one call. */
export async function importDuring(lane: Lane, cell: Cell): Promise<Outcome> {
  const recording = makeRecording(recordingBytes.api);
  inject(lane, cell, triggers);
  const answer = await tryImport(lane.service, recording);
  const answerMs = performance.now() - lane.proxies[cell.engine].began();
  const healthyMs = await heal(lane, cell);
  if (answer instanceof Error) throw answer;
  if (!acknowledge(lane, recording, answer)) expectUnavailable(answer);
  const again = await tryImport(lane.service, recording);
  if (!acknowledge(lane, recording, again)) throw new Error(`the repeated import failed: ${JSON.stringify(again)}`);
  return { result: String(answer.status), answerMs, healthyMs };
}
