import { afterAll, beforeAll, expect, test } from "vitest";
import { countRows, findDamage, findLeftovers, noDamage, noLeftovers } from "../support/data/damage-report.ts";
import { type Answer, multipart } from "../support/http/http.ts";
import type { Call } from "../support/http/service.ts";
import {
  KB,
  makeRecording,
  partsOf,
  type Recording,
  serviceAt,
  tryImport,
  trySending,
} from "../support/recordings/recordings.ts";
import { isRelease, scale } from "../support/run-scale.ts";
import { type CuttingProxy, openCuttingProxy } from "../support/servers/cutting-proxy.ts";
import { type ApiProcess, openStack, type Stack, unlimited } from "../support/stack/stack.ts";
import { openStore, type Store } from "../support/stack/store.ts";
import { inParallel, say, until } from "../support/waiting.ts";

const rounds = scale(4, 10, 50);
const cuts = scale(20, 50, 200);

let stack: Stack;
let store: Store;
let apis: ApiProcess[];
let proxy: CuttingProxy;

beforeAll(async () => {
  stack = await openStack(undefined, unlimited);
  store = openStore(stack);
  apis = await Promise.all([stack.startApi(), stack.startApi()]);
  proxy = await openCuttingProxy(portOf(0));
});
afterAll(async () => {
  await proxy?.close();
  await stack?.stop();
  await store?.close();
});

/** Requests alternate between two API processes, whose batches conflict. */
const portOf = (request: number) => apis[request % apis.length]?.port ?? 0;

/** The API removes the objects of duplicate imports itself, without a sweep. */
const nothingIsLeft = () =>
  until("the API removed the duplicate objects", 15_000, async () => {
    const { objectsWithoutRow, stagedRows } = await findLeftovers(stack, store);
    return objectsWithoutRow.length + stagedRows === 0;
  });

/** Sends the same request `times` times concurrently, half of them to each API process. Repeats those that get 503 on a busy machine. */
async function importAtOnce(recording: Recording, times: number): Promise<{ answers: Answer<Call>[]; again: number }> {
  const form = multipart(partsOf(serviceAt(stack, portOf(0)), recording));
  let again = 0;
  async function sendUntilTaken(request: number): Promise<Answer<Call>> {
    const answer = await trySending(serviceAt(stack, portOf(request)), form);
    if (answer instanceof Error) throw answer;
    if (answer.status !== 503 || again > times) return answer;
    again++;
    return sendUntilTaken(request);
  }
  return { answers: await Promise.all(Array.from({ length: times }, (_, request) => sendUntilTaken(request))), again };
}

test(`100 concurrent identical imports, ${rounds} times: ${rounds} calls`, { timeout: 900_000 }, async () => {
  const before = await countRows(stack, "call");
  const acknowledged = new Map<string, string>();
  for (let round = 0; round < rounds; round++) {
    const recording = makeRecording(64 * KB);
    const { answers, again } = await importAtOnce(recording, 100);
    if (again > 0) say(`round ${round}: ${again} retries after 503`);
    if (isRelease) expect(again).toBe(0);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length, refused[0]?.text).toBe(0);
    const ids = new Set(answers.map(({ body }) => body.id));
    expect([...ids]).toHaveLength(1);
    const first = answers.filter(({ body }) => !body.duplicate).length;
    // An import that got 503 may have created the call.
    expect(first === 1 || (first === 0 && again > 0), `${first} of 100 responses report a new call`).toBe(true);
    for (const id of ids) acknowledged.set(recording.sha256, id);
  }
  expect(await countRows(stack, "call")).toBe(before + rounds);
  expect(new Set(acknowledged.values()).size).toBe(rounds);
  expect(await findDamage(stack, store, acknowledged)).toEqual(noDamage);
  await nothingIsLeft();
  expect(await findLeftovers(stack, store)).toEqual(noLeftovers);
});

test(`a response lost after the commit, ${cuts} times: the repeated import returns the same call`, {
  timeout: 600_000,
}, async () => {
  const before = await countRows(stack, "call");
  const acknowledged = new Map<string, string>();
  await inParallel(cuts, 8, async () => {
    const recording = makeRecording(64 * KB);
    expect(await tryImport(serviceAt(stack, proxy.port), recording)).toBeInstanceOf(Error);
    const { rows } = await stack.adminDb.query<{ id: string }>("select id from call where sha256 = decode($1, 'hex')", [
      recording.sha256,
    ]);
    expect(rows).toHaveLength(1);

    const again = await tryImport(serviceAt(stack, portOf(1)), recording);
    if (again instanceof Error) throw again;
    expect([again.status, again.body.duplicate, again.body.id]).toEqual([200, true, rows[0]?.id]);
    acknowledged.set(recording.sha256, again.body.id);
  });
  expect(proxy.cuts()).toBe(cuts);
  expect(await countRows(stack, "call")).toBe(before + cuts);
  expect(await findDamage(stack, store, acknowledged)).toEqual(noDamage);
  await nothingIsLeft();
});
