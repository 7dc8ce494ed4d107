import { afterAll, beforeAll, expect, test } from "vitest";
import { countEvents } from "../support/data/count-events.ts";
import { findCall, get, waitForCall, withEveryScope } from "../support/http/call-details.ts";
import { send } from "../support/http/http.ts";
import { importCall, type Service } from "../support/http/service.ts";
import { serviceAt } from "../support/recordings/recordings.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { openStack, type Stack } from "../support/stack/stack.ts";
import { openStore, type Store } from "../support/stack/store.ts";
import { until } from "../support/waiting.ts";

let stack: Stack;
let store: Store;
let service: Service;
beforeAll(async () => {
  stack = await openStack();
  store = openStore(stack);
  service = await withEveryScope(stack, serviceAt(stack, (await stack.startApi()).port));
});
afterAll(async () => {
  await stack?.stop();
  await store?.close();
});

const prepareAgain = (id: string) =>
  send(`${service.baseUrl}/calls/${id}/prepare`, { method: "POST", headers: { "x-api-key": service.apiKey } });

test("a failed preparation can be retried after the recording was repaired", async () => {
  const good = makeWav({ seconds: 5 });
  const { id } = await importCall(service, { file: good });
  const { rows } = await stack.adminDb.query<{ key: string }>("select recording_key as key from call where id = $1", [
    id,
  ]);
  const key = rows[0]?.key ?? "";
  await store.overwrite(key, Buffer.alloc(good.length, "no sound"));
  await stack.startWorker({ WORKER_PORT: "0", RECORDING_RETRY_SECONDS: "0" });
  const failed = await waitForCall(service, id);
  expect([failed.status, failed.failure?.code]).toEqual(["failed", "recording_corrupt"]);
  expect((await get(service, `/calls/${id}/audio`)).status).toBe(409);

  await store.overwrite(key, good);
  expect((await prepareAgain(id)).status).toBe(202);
  await until("the call is ready", 30_000, async () => (await findCall(service, id)).status === "ready", 100);
  const ready = await findCall(service, id);
  expect(ready.failure).toBeUndefined();
  expect(ready.steps).toMatchObject([{ step: "prepare", state: "done" }]);
  expect((await countEvents(stack, "call.failed")).get(id)).toBe(1);
  expect((await countEvents(stack, "call.ready")).get(id)).toBe(1);
});
