import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type CallDetail,
  download,
  findCall,
  get,
  readWaveform,
  type Speech,
  sha256,
  waitForCall,
  withEveryScope,
} from "../support/http/call-details.ts";
import { send } from "../support/http/http.ts";
import { importCall, type Service } from "../support/http/service.ts";
import {
  type Conversation,
  loadConversation,
  record,
  type Turn,
  totalMs,
  union,
} from "../support/recordings/conversation.ts";
import { serviceAt } from "../support/recordings/recordings.ts";
import { makeAmr } from "../support/recordings/sounds.ts";
import { openStack, type Stack } from "../support/stack/stack.ts";
import { inParallel, say } from "../support/waiting.ts";
import { type Case, cases } from "./cases.ts";

let stack: Stack;
let service: Service;
let conversation: Conversation;
/** A campaign whose agents are on the left channel. */
const agentLeft = "agent-left";
const imported = new Map<string, { readonly id: string; readonly sent: Buffer }>();

beforeAll(async () => {
  stack = await openStack();
  const names = ["--id", agentLeft, "--name", "Agent left", "--agent-channel", "left", "--json"];
  await stack.command("campaign", "create", "--workspace", stack.workspaceId, ...names);
  const api = await stack.startApi();
  service = await withEveryScope(stack, serviceAt(stack, api.port));
  conversation = await loadConversation();
  await stack.startWorker({ WORKER_PORT: "0" });
  await inParallel(cases.length, 2, async (index) => {
    const made = cases[index];
    if (!made) return;
    const recording = await record(conversation, made);
    const sent = made.spoil ? made.spoil(recording) : recording;
    const { id } = await importCall(service, { file: sent, campaign_id: agentLeft });
    imported.set(made.name, { id, sent });
  });
}, 120_000);
afterAll(() => stack?.stop());

function given(name: string): { readonly id: string; readonly sent: Buffer } {
  const found = imported.get(name);
  if (!found) throw new Error(`no call "${name}"`);
  return found;
}

function audioOf(call: CallDetail): NonNullable<CallDetail["audio"]> {
  if (!call.audio) throw new Error(`call ${call.id} is ${call.status}: ${call.failure?.code} ${call.failure?.detail}`);
  return call.audio;
}

/** The expected speech turns per channel. */
function spokenOn({ arrangement }: Case): Record<string, readonly Turn[]> {
  const { agent, customer } = conversation.turns;
  const anybody = union(agent, customer);
  return {
    mono: { both: anybody },
    dual: { left: agent, right: customer },
    identical: { both: anybody },
    right_silent: { left: anybody, right: [] },
    silent_mono: { both: [] },
    silent_dual: {},
  }[arrangement];
}

/** Turns that are missing, extra, or more than 150 ms off. */
function wrongTurns(found: readonly Turn[], spoken: readonly Turn[]): string[] {
  const near = (a: Turn, b: Turn) => Math.abs(a[0] - b[0]) <= 150 && Math.abs(a[1] - b[1]) <= 150;
  const missing = spoken.filter((turn) => !found.some((other) => near(turn, other)));
  const surplus = found.filter((turn) => !spoken.some((other) => near(turn, other)));
  return [...missing.map((turn) => `spoken, not found: ${turn}`), ...surplus.map((turn) => `found: ${turn}`)];
}

describe.each(cases)("$name", (made) => {
  test("becomes ready with the right duration, layout, warnings and talk time", async () => {
    const call = await waitForCall(service, given(made.name).id);
    expect(call.failure).toBeUndefined();
    const audio = audioOf(call);
    expect(call.recording.format).toBe(made.format);
    expect(Math.abs((call.recording.duration_ms ?? 0) / conversation.durationMs - 1)).toBeLessThan(0.01);
    if (made.layout) expect(audio.layout).toBe(made.layout);
    expect(call.warnings.map(({ code }) => code).sort()).toEqual([...(made.warnings ?? [])].sort());
    if (made.arrangement.startsWith("silent")) expect(audio.sides.every(({ talk_ms }) => talk_ms === 0)).toBe(true);
    for (const [channel, turns] of Object.entries(spokenOn(made))) {
      const spoken = totalMs(turns);
      const talk = audio.sides.find((side) => side.channel === channel)?.talk_ms ?? Number.NaN;
      expect(talk, channel).toBeGreaterThanOrEqual(spoken * 0.95);
      expect(talk, channel).toBeLessThanOrEqual(spoken * 1.05);
    }
  });

  test("returns the speech turns", async () => {
    const call = await waitForCall(service, given(made.name).id);
    const { body } = await get<Speech>(service, audioOf(call).speech.url);
    const wrong = Object.entries(spokenOn(made)).map(([channel, turns]) => [
      channel,
      wrongTurns(body.sides.find((side) => side.channel === channel)?.turns ?? [], turns),
    ]);
    expect(wrong).toEqual(Object.keys(spokenOn(made)).map((channel) => [channel, []]));
  });

  test("has a waveform of 50 points per second that is high during speech", async () => {
    const audio = audioOf(await waitForCall(service, given(made.name).id));
    const bytes = await download(service, audio.waveform.url);
    expect(bytes.length).toBe(audio.waveform.bytes);
    const waveform = readWaveform(bytes);
    expect(waveform).toMatchObject({ bits: 8, pointsPerSecond: 50 });
    expect(Math.abs((waveform.length * 20) / conversation.durationMs - 1)).toBeLessThan(0.01);
    const channels = Object.entries(spokenOn(made));
    if (made.arrangement === "dual") expect(waveform.channels).toBe(2);
    channels.forEach(([, turns], channel) => {
      const highest = (from: number, to: number) =>
        Math.max(
          ...Array.from({ length: Math.ceil((to - from) / 20) }, (_, n) =>
            waveform.span(Math.floor(from / 20) + n, channel),
          ),
        );
      for (const [start, end] of turns) expect(highest(start, end)).toBeGreaterThan(20);
      // No speech in the first 700 ms.
      expect(highest(0, 700)).toBeLessThan(5);
    });
  });

  test("keeps the original recording unchanged", async () => {
    const { id, sent } = given(made.name);
    await waitForCall(service, id);
    expect(sha256(await download(service, `/calls/${id}/audio?original=true`))).toBe(sha256(sent));
  });
});

const dual = cases.filter(({ arrangement }) => arrangement === "dual");

test("measures overtalk and the longest silence of a two-channel call", async () => {
  for (const { name } of dual) {
    const { overtalk_ms, longest_silence_ms } = audioOf(await waitForCall(service, given(name).id));
    const { agent, customer } = conversation.turns;
    const overtalk = totalMs(agent) + totalMs(customer) - totalMs(union(agent, customer));
    expect(Math.abs((overtalk_ms ?? 0) - overtalk), `${name}: overtalk ${overtalk_ms} of ${overtalk}`).toBeLessThan(
      400,
    );
    expect(Math.abs(longest_silence_ms - 9_000), `${name}: ${longest_silence_ms}`).toBeLessThan(300);
  }
});

const sidesOf = (call: CallDetail) =>
  Object.fromEntries(audioOf(call).sides.map(({ channel, side }) => [channel, side]));

test("names the sides agent and customer if the campaign sets the channel, otherwise left and right", async () => {
  for (const { name } of dual) {
    const call = await waitForCall(service, given(name).id);
    expect(call.agent_channel).toEqual({ value: "left", from: "campaign" });
    expect(sidesOf(call)).toEqual({ left: "agent", right: "customer" });
  }
  const { sent } = given(dual[0]?.name ?? "");
  const { id } = await importCall(service, { file: sent });
  expect(sidesOf(await waitForCall(service, id))).toEqual({ left: "left", right: "right" });
});

function sayWhere(id: string, agent_channel: string | null) {
  return send(`${service.baseUrl}/calls/${id}`, {
    method: "PATCH",
    headers: { "x-api-key": service.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ agent_channel }),
  });
}

test("swaps the sides after an edit, and restores them", async () => {
  const { id } = given(dual[0]?.name ?? "");
  const talkOf = (call: CallDetail) => Object.fromEntries(audioOf(call).sides.map((one) => [one.side, one.talk_ms]));
  const before = talkOf(await waitForCall(service, id));

  expect((await sayWhere(id, "right")).status).toBe(200);
  const corrected = await findCall(service, id);
  expect(corrected.agent_channel).toEqual({ value: "right", from: "call" });
  expect(sidesOf(corrected)).toEqual({ left: "customer", right: "agent" });
  expect(talkOf(corrected)).toEqual({ agent: before.customer, customer: before.agent });
  const { body } = await get<Speech>(service, audioOf(corrected).speech.url);
  expect(Object.fromEntries(body.sides.map((one) => [one.channel, one.side]))).toEqual(sidesOf(corrected));

  expect((await sayWhere(id, "unknown")).status).toBe(200);
  expect(sidesOf(await findCall(service, id))).toEqual({ left: "left", right: "right" });
  expect((await sayWhere(id, null)).status).toBe(200);
  expect(sidesOf(await findCall(service, id))).toEqual({ left: "agent", right: "customer" });
});

// Debian has no AMR encoder: the frames contain noise, so only the duration can be tested.
test("plays AMR with the right duration", async () => {
  const { id } = await importCall(service, { file: makeAmr(20) });
  const call = await waitForCall(service, id);
  expect(call.failure).toBeUndefined();
  expect(audioOf(call).layout).toBe("mono");
  expect(Math.abs((call.recording.duration_ms ?? 0) / 20_000 - 1)).toBeLessThan(0.01);
});

test("plays AMR with discontinuous transmission with the right duration", async () => {
  // 20 ms frames: speech, then a pause as a silence descriptor and empty frames.
  const pause = Buffer.concat([Buffer.from("44aaaaaaaaaa", "hex"), Buffer.alloc(7, 0x7c)]);
  const talk = makeAmr(5).subarray("#!AMR\n".length);
  const pauses = Buffer.concat(Array.from({ length: 25 }, () => pause));
  const file = Buffer.concat([Buffer.from("#!AMR\n"), talk, pauses, talk, pauses, talk]);
  const call = await waitForCall(service, (await importCall(service, { file })).id);
  expect(call.failure).toBeUndefined();
  expect(Math.abs((call.recording.duration_ms ?? 0) / 23_000 - 1)).toBeLessThan(0.01);
});

test("emits call.ready exactly once per call", async () => {
  const { rows } = await stack.adminDb.query<{ id: string; count: number }>(
    "select data->>'call_id' as id, count(*)::int from event where type = 'call.ready' group by 1",
  );
  say(`${rows.length} calls are ready`);
  expect(rows.filter(({ count }) => count !== 1)).toEqual([]);
  expect(rows.length).toBeGreaterThanOrEqual(cases.length);
});
