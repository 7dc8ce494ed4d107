import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { download } from "../support/http/call-details.ts";
import { importCall, postUser, type Service } from "../support/http/service.ts";
import { scale } from "../support/run-scale.ts";
import { openTranscriptionServer, type TranscriptionServer } from "../support/servers/transcription-server.ts";
import { openStack, type Stack, unlimited } from "../support/stack/stack.ts";
import { inParallel, percentile, say, until } from "../support/waiting.ts";
import { speakShortCall } from "./support/short-call.ts";
import { openSpeechService, turnOnTranscription } from "./support/transcripts.ts";

const awaySeconds = scale(6, 20, 3600);
const backlog = scale(12, 16, 200);
const fewCalls = 2;

let stack: Stack;
let engine: TranscriptionServer;
let many: Service;
let few: Service;

beforeAll(async () => {
  engine = await openTranscriptionServer();
  stack = await openStack(undefined, { ...unlimited, TRANSCRIBER_URL: engine.url });
  const api = await stack.startApi();
  many = (await openSpeechService(stack, api.baseUrl)).service;
  const { id } = await stack.command<{ id: string }>("workspace", "create", "--name", "Other", "--json");
  await stack.command("campaign", "create", "--workspace", id, "--id", stack.campaignId, "--name", "Calls");
  const { key } = await stack.command<{ key: string }>(
    ...["key", "create", "--workspace", id, "--name", "all", "--scope", "import", "read", "manage", "--json"],
  );
  few = { ...many, apiKey: key };
  await turnOnTranscription(few);
  await postUser(few, { email: few.agentEmail, name: "Ann Lee", role: "agent", send_invite_email: false });
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await engine?.shut();
});

test(`the engine is away for ${awaySeconds} s: calls are prepared and played as before, and transcribed afterwards`, {
  timeout: 2 * awaySeconds * 1000 + 600_000,
}, async () => {
  await engine.shut();
  await stack.startWorker();
  const began = Date.now();
  const ids: string[] = [];
  await inParallel(backlog, 4, async () => {
    ids.push((await importCall(many, { file: await speakShortCall() })).id);
  });
  await until(
    "calls of one workspace wait for the engine",
    120_000,
    async () => (await countSteps(ids)).running === ids.length,
    100,
  );
  const others: string[] = [];
  for (let n = 0; n < fewCalls; n++) others.push((await importCall(few, { file: await speakShortCall() })).id);
  const all = [...ids, ...others];
  await until("every call is ready", 120_000, async () => (await countReady(all)) === all.length, 100);
  for (const id of all.slice(0, 5)) expect((await download(many, `/calls/${id}/audio`)).length).toBeGreaterThan(1_000);
  await sleep(Math.max(0, began + awaySeconds * 1000 - Date.now()));
  expect(await countSteps(all)).toEqual({ running: all.length, done: 0, failed: 0 });

  await engine.open();
  const opened = Date.now();
  await until(
    "every call is transcribed",
    // After an hour, a call is tried again only every ten minutes.
    scale(300_000, 300_000, 900_000),
    async () => (await countSteps(all)).done === all.length,
    100,
  );
  const { rows } = await stack.adminDb.query<{ id: string }>(
    "select call_id as id from call_step where step = 'transcribe' order by ended_at",
  );
  const order = rows.map(({ id }) => id);
  const before = order.findLastIndex((id) => others.includes(id)) + 1 - others.length;
  say(
    `${all.length} calls transcribed ${((Date.now() - opened) / 1000).toFixed(1)} s after the engine came back; ${before} of ${backlog} before the ${fewCalls} of the other workspace`,
  );
  expect(before).toBeLessThanOrEqual(Math.max(8, backlog / 4));
  const events = await stack.adminDb.query("select type from event where type like 'call.trans%'");
  expect(events.rows.filter(({ type }) => type === "call.transcribed")).toHaveLength(all.length);
  expect(events.rows).toHaveLength(all.length);
});

test("calls are imported and prepared as fast while the engine stalls as without transcription", {
  timeout: 300_000,
}, async () => {
  const rounds = scale(3, 6, 30);
  engine.setFault({ kind: "stall" });
  const off = await stack.command<{ id: string }>(
    ...["campaign", "create", "--workspace", stack.workspaceId, "--id", "not-transcribed", "--name", "Off", "--json"],
  );
  expect(off).toBeDefined();
  const times = { on: [] as number[], off: [] as number[] };
  for (let round = 0; round < rounds; round++)
    for (const kind of round % 2 ? (["on", "off"] as const) : (["off", "on"] as const)) {
      const campaign = kind === "on" ? {} : { campaign_id: "not-transcribed" };
      const file = await speakShortCall();
      const from = performance.now();
      const { id } = await importCall(many, { file, ...campaign });
      await until("the call is ready", 60_000, async () => (await countReady([id])) === 1, 10);
      times[kind].push(performance.now() - from);
    }
  const [on, without] = [percentile(times.on, 0.5), percentile(times.off, 0.5)];
  const ratio = on / without;
  say(
    `import to ready: ${on.toFixed(0)} ms with a stalling engine, ${without.toFixed(0)} ms without; ratio ${ratio.toFixed(2)}`,
  );
  expect(ratio).toBeLessThan(scale(3, 2, 2));
});

async function countSteps(ids: readonly string[]) {
  const { rows } = await stack.adminDb.query<{ state: "running" | "done" | "failed"; count: number }>(
    "select state, count(*)::int from call_step where step = 'transcribe' and call_id = any($1) group by 1",
    [ids],
  );
  return { running: 0, done: 0, failed: 0, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
}

async function countReady(ids: readonly string[]): Promise<number> {
  const { rows } = await stack.adminDb.query<{ count: number }>(
    "select count(*)::int from call where id = any($1) and status = 'ready'",
    [ids],
  );
  return rows[0]?.count ?? 0;
}
