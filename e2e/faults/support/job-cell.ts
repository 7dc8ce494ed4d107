import { expect } from "vitest";
import { countEvents } from "../../support/data/count-events.ts";
import { waitForCall } from "../../support/http/call-details.ts";
import { makeRecording, tryImport } from "../../support/recordings/recordings.ts";
import { scale } from "../../support/run-scale.ts";
import { until } from "../../support/waiting.ts";
import { acknowledge, heal, inject, limits, type Outcome, type Triggers } from "./cell.ts";
import { type Lane, recordingBytes } from "./lane.ts";
import type { Cell } from "./matrix.ts";

const triggers: Triggers = {
  database: {
    start: { request: /insert into "call_step"/ },
    middle: { request: /\0stage\0/ },
    completion: { request: /update "call" set "status"/ },
  },
  store: {
    start: { request: /^GET \S+\/recordings\// },
    middle: { responseBytes: recordingBytes.worker / 2 },
    completion: { request: /^PUT \S+\/drawings\// },
  },
};

/** How long the fault lasts unless an attempt ends before. */
const faultMs = scale(3_000, 5_000, 25_000);

/** The preparation of a call meets a fault. It is done in spite of it, or repeated until it is done, once. */
export async function prepareDuring(lane: Lane, cell: Cell): Promise<Outcome> {
  const recording = makeRecording(recordingBytes.worker);
  inject(lane, cell, triggers);
  const answer = await tryImport(lane.service, recording);
  if (answer instanceof Error || !acknowledge(lane, recording, answer)) throw new Error(`not imported: ${answer}`);
  const { id } = answer.body;
  await until("the job meets the fault", limits.answerMs, () => lane.proxies[cell.engine].hits() > 0);
  const since = performance.now();
  const logged = lane.subject.log().length;
  const isReady = async () => {
    const { rows } = await lane.stack.adminDb.query("select from call where id = $1 and status = 'ready'", [id]);
    return rows.length > 0;
  };
  const failed = () => lane.subject.log().slice(logged).includes("job failed and will be retried");
  let result = "still running";
  while (result === "still running" && performance.now() - since < faultMs) {
    if (await isReady()) result = "done";
    else if (failed()) result = "to be retried";
  }
  const answerMs = performance.now() - since;
  const healthyMs = await heal(lane, cell);
  const healed = performance.now();
  expect((await waitForCall(lane.service, id, limits.readyMs)).status).toBe("ready");
  const readyMs = Math.round(performance.now() - healed);
  expect((await countEvents(lane.stack, "call.ready")).get(id)).toBe(1);
  return { result: `${result}, ready after ${readyMs} ms`, answerMs, healthyMs };
}
