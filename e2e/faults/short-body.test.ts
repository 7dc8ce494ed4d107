import { afterAll, beforeAll, expect, test } from "vitest";
import { countRows, findLeftovers, noLeftovers, sweepAll } from "../support/data/damage-report.ts";
import { multipart } from "../support/http/http.ts";
import { openRaw } from "../support/http/raw-http.ts";
import { KB, MB, makeRecording, partsOf, serviceAt } from "../support/recordings/recordings.ts";
import { random, scale, seed } from "../support/run-scale.ts";
import { type ApiProcess, openStack, type Stack, unlimited } from "../support/stack/stack.ts";
import { openStore, type Store } from "../support/stack/store.ts";
import { inParallel, say } from "../support/waiting.ts";

const bodies = scale(48, 100, 500);
const chance = random();

let stack: Stack;
let store: Store;
let api: ApiProcess;

beforeAll(async () => {
  stack = await openStack(undefined, unlimited);
  store = openStore(stack);
  api = await stack.startApi();
});
afterAll(async () => {
  await stack?.stop();
  await store?.close();
});

/** Ways to send less than announced. The second sends a complete form with a larger Content-Length. */
const shortenings: Record<string, (body: Buffer) => { sent: Buffer; announced: number }> = {
  "cut anywhere": (body) => ({ sent: body.subarray(0, Math.floor(chance() * body.length)), announced: body.length }),
  "a complete form with a larger Content-Length": (body) => ({
    sent: body,
    announced: body.length + 1 + Math.floor(chance() * 1000),
  }),
  "without its last bytes": (body) => ({
    sent: body.subarray(0, body.length - 1 - Math.floor(chance() * 40)),
    announced: body.length,
  }),
  "an empty body": (body) => ({ sent: body.subarray(0, 0), announced: body.length }),
};

function makeRandomForm() {
  const kind = chance();
  const size = kind < 0.6 ? 4 * KB : kind < 0.95 ? 200 * KB : 9 * MB;
  const service = serviceAt(stack, api.port);
  const parts = partsOf(service, makeRecording(Math.floor(size * (0.5 + chance()))));
  return multipart(chance() < 0.5 ? parts : parts.toReversed());
}

test(`a body shorter than its Content-Length: 400 and no call, ${bodies} of ${bodies}`, {
  timeout: 600_000,
}, async () => {
  say(`seed ${seed}`);
  const kinds = Object.keys(shortenings);
  const wrong: string[] = [];
  let rejected = 0;
  await inParallel(bodies, 10, async (index) => {
    const kind = kinds[index % kinds.length] ?? "";
    const { contentType, body } = makeRandomForm();
    const { sent, announced } = shortenings[kind]?.(body) ?? { sent: body, announced: body.length };
    const connection = await openRaw(api.port);
    await connection.send(
      [
        "POST /calls/audio HTTP/1.1",
        `Host: 127.0.0.1:${api.port}`,
        `x-api-key: ${stack.apiKey}`,
        `Content-Type: ${contentType}`,
        `Content-Length: ${announced}`,
        "",
        "",
      ].join("\r\n"),
    );
    await connection.send(sent);
    // Two of three half-close and wait for the response; the third disconnects.
    const listens = index % 3 !== 2;
    if (listens) connection.socket.end();
    else connection.socket.resetAndDestroy();

    const over = await connection.endedWithin(10_000);
    const statuses = connection.answers.map(({ status }) => status);
    if (!over) wrong.push(`#${index} ${kind}: still open after 10 s`);
    if (listens && statuses.join() !== "400") wrong.push(`#${index} ${kind}: ${statuses.join() || "no answer"}`);
    if (statuses.includes(400)) rejected++;
    connection.close();
  });
  say(`${bodies} short bodies, ${rejected} got 400, the others had disconnected`);
  expect(wrong).toEqual([]);
  expect(await countRows(stack, "call")).toBe(0);
  await sweepAll(stack);
  expect(await countRows(stack, "call")).toBe(0);
  expect(await findLeftovers(stack, store)).toEqual(noLeftovers);
});
