import { afterAll, beforeAll, expect, test } from "vitest";
import { countRows, findDamage, findLeftovers, noDamage, noLeftovers } from "../support/aftermath.ts";
import { type CuttingProxy, openCuttingProxy } from "../support/cutting-proxy.ts";
import { type Answer, multipart } from "../support/http.ts";
import { aRecording, KB, partsOf, type Recording, serviceAt, tryImport, trySending } from "../support/recordings.ts";
import type { Call } from "../support/service.ts";
import { full } from "../support/sizes.ts";
import { type ApiProcess, openStack, type Stack, unlimited } from "../support/stack.ts";
import { openStore, type Store } from "../support/store.ts";
import { inParallel, until } from "../support/waiting.ts";

const rounds = full ? 50 : 10;
const cuts = full ? 200 : 50;

let stack: Stack;
let store: Store;
let api: ApiProcess;
let proxy: CuttingProxy;

beforeAll(async () => {
  stack = await openStack(undefined, unlimited);
  store = openStore(stack);
  api = await stack.startApi();
  proxy = await openCuttingProxy(api.port);
});
afterAll(async () => {
  await proxy?.close();
  await stack?.stop();
  await store?.close();
});

/** The bytes of those that came second are removed by the API itself, without a sweep. */
const nothingIsLeft = () =>
  until("the API removed what it did not need", 15_000, async () => {
    const { objectsWithoutRow, stagedRows } = await findLeftovers(stack, store);
    return objectsWithoutRow.length + stagedRows === 0;
  });

/** Sends the very same request `times` times at once. */
async function importAtOnce(recording: Recording, times: number): Promise<Answer<Call>[]> {
  const service = serviceAt(stack, api.port);
  const form = multipart(partsOf(service, recording));
  const answers = await Promise.all(Array.from({ length: times }, () => trySending(service, form)));
  return answers.map((answer) => {
    if (answer instanceof Error) throw answer;
    return answer;
  });
}

test(`100 identical imports at once, ${rounds} times: ${rounds} calls`, { timeout: 900_000 }, async () => {
  const before = await countRows(stack, "call");
  const acknowledged = new Map<string, string>();
  for (let round = 0; round < rounds; round++) {
    const recording = aRecording(64 * KB);
    const answers = await importAtOnce(recording, 100);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length, refused[0]?.text).toBe(0);
    const ids = new Set(answers.map(({ body }) => body.id));
    expect([...ids]).toHaveLength(1);
    expect(answers.filter(({ body }) => !body.duplicate)).toHaveLength(1);
    for (const id of ids) acknowledged.set(recording.sha256, id);
  }
  expect(await countRows(stack, "call")).toBe(before + rounds);
  expect(new Set(acknowledged.values()).size).toBe(rounds);
  expect(await findDamage(stack, store, acknowledged)).toEqual(noDamage);
  await nothingIsLeft();
  expect(await findLeftovers(stack, store)).toEqual(noLeftovers);
});

test(`a reply cut after the commit, ${cuts} times: the repeated import finds the same call`, {
  timeout: 600_000,
}, async () => {
  const before = await countRows(stack, "call");
  const acknowledged = new Map<string, string>();
  await inParallel(cuts, 8, async () => {
    const recording = aRecording(64 * KB);
    expect(await tryImport(serviceAt(stack, proxy.port), recording)).toBeInstanceOf(Error);
    const { rows } = await stack.adminDb.query<{ id: string }>("select id from call where sha256 = decode($1, 'hex')", [
      recording.sha256,
    ]);
    expect(rows).toHaveLength(1);

    const again = await tryImport(serviceAt(stack, api.port), recording);
    if (again instanceof Error) throw again;
    expect([again.status, again.body.duplicate, again.body.id]).toEqual([200, true, rows[0]?.id]);
    acknowledged.set(recording.sha256, again.body.id);
  });
  expect(proxy.cuts()).toBe(cuts);
  expect(await countRows(stack, "call")).toBe(before + cuts);
  expect(await findDamage(stack, store, acknowledged)).toEqual(noDamage);
  await nothingIsLeft();
});
