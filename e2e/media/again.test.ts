import { afterAll, beforeAll, expect, test } from "vitest";
import { announced } from "../support/announced.ts";
import { send } from "../support/http.ts";
import { findCall, get, settled, withEveryScope } from "../support/prepared.ts";
import { serviceAt } from "../support/recordings.ts";
import { importCall, type Service } from "../support/service.ts";
import { aWav } from "../support/sounds.ts";
import { openStack, type Stack } from "../support/stack.ts";
import { openStore, type Store } from "../support/store.ts";
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

test("a call that failed is prepared again, once its recording is mended", async () => {
  const good = aWav({ seconds: 5 });
  const { id } = await importCall(service, { file: good });
  const { rows } = await stack.adminDb.query<{ key: string }>("select recording_key as key from call where id = $1", [
    id,
  ]);
  const key = rows[0]?.key ?? "";
  await store.overwrite(key, Buffer.alloc(good.length, "no sound"));
  await stack.startWorker({ WORKER_PORT: "0" });
  const failed = await settled(service, id);
  expect([failed.status, failed.failure?.code]).toEqual(["failed", "recording_undecodable"]);
  expect((await get(service, `/calls/${id}/audio`)).status).toBe(409);

  await store.overwrite(key, good);
  expect((await prepareAgain(id)).status).toBe(202);
  await until("the call is ready", 30_000, async () => (await findCall(service, id)).status === "ready", 100);
  const ready = await findCall(service, id);
  expect(ready.failure).toBeUndefined();
  expect(ready.steps).toMatchObject([{ step: "prepare", state: "done" }]);
  expect((await announced(stack, "call.failed")).get(id)).toBe(1);
  expect((await announced(stack, "call.ready")).get(id)).toBe(1);
});
