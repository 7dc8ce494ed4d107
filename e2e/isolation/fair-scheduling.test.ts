import { afterAll, beforeAll, expect, test } from "vitest";
import { importCall, postUser, type Service } from "../support/http/service.ts";
import { serviceAt } from "../support/recordings/recordings.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { openStack, type Stack, unlimited } from "../support/stack/stack.ts";
import { inParallel, say, until } from "../support/waiting.ts";

const backlog = 300;
const lanes = 2;

let stack: Stack;
let many: Service;
let few: Service;
beforeAll(async () => {
  stack = await openStack(undefined, unlimited);
  const api = await stack.startApi();
  many = serviceAt(stack, api.port);
  const { id } = await stack.command<{ id: string }>("workspace", "create", "--name", "Other", "--json");
  await stack.command("campaign", "create", "--workspace", id, "--id", stack.campaignId, "--name", "Calls");
  const { key } = await stack.command<{ key: string }>(
    ...["key", "create", "--workspace", id, "--name", "import", "--scope", "import", "--json"],
  );
  few = { ...many, apiKey: key };
  await postUser(few, { email: few.agentEmail, name: "Ann Lee", role: "agent", send_invite_email: false });
}, 120_000);
afterAll(async () => {
  await stack?.stop();
});

test(`a call does not wait for ${backlog} calls of another workspace`, { timeout: 180_000 }, async () => {
  await inParallel(backlog, 8, async (seed) => {
    await importCall(many, { file: makeWav({ seed: seed + 1 }) });
  });
  const call = await importCall(few);
  await stack.startWorker({ WORKER_CONCURRENCY: String(lanes) });
  const ready = async () =>
    (await stack.adminDb.query<{ id: string }>("select id from call where status = 'ready'")).rows;
  const seen = await until("the call is ready", 60_000, async () => {
    const rows = await ready();
    return rows.some(({ id }) => id === call.id) ? rows : undefined;
  });
  say(`ready before it: ${seen.length - 1} of ${backlog}`);
  expect(seen.length - 1).toBeLessThanOrEqual(lanes * 5);
});
