import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../support/http/http.ts";
import { importCall, postUser, type Service } from "../support/http/service.ts";
import { openUnread, type UnreadClients } from "../support/load/unread-clients.ts";
import { expectNoSlower } from "../support/measuring/compare-windows.ts";
import { MB, makeRecording, serviceAt, tryImport } from "../support/recordings/recordings.ts";
import { scale } from "../support/run-scale.ts";
import { type ApiProcess, openStack, type Stack } from "../support/stack/stack.ts";
import { percentile, until } from "../support/waiting.ts";

/*
 * Two API processes on the same engines. Clients of one workspace keep downloads open on one of them without reading, more
 * than the S3 client has connections (50). Another workspace alternates playback and imports between both.
 */
const keys = scale(2, 2, 5);
const perKey = scale(35, 35, 40);
const playsInWindow = scale(12, 12, 60);
const importsInWindow = scale(3, 3, 12);
const recordingBytes = 12 * MB;
/** A CI window is too short for a p95 on shared cores: one slow request would decide. */
const quantile = scale(0.5, 0.5, 0.95);
const measured = scale("median", "median", "p95");

let stack: Stack;
let calm: ApiProcess;
let busy: ApiProcess;
let other: Service & { readonly readKey: string };
let playedCall: string;
const open: UnreadClients[] = [];

const createKey = async (workspaceId: string, scope: string) =>
  (
    await stack.command<{ key: string }>(
      ...["key", "create", "--workspace", workspaceId, "--name", scope, "--scope", scope, "--json"],
    )
  ).key;

beforeAll(async () => {
  // Unread downloads must not time out during the test.
  stack = await openStack(undefined, { RESPONSE_GRACE_SECONDS: "600" });
  [calm, busy] = await Promise.all([stack.startApi(), stack.startApi()]);
  const { campaignId, agentEmail, workspaceId } = stack;
  const { id: otherId } = await stack.command<{ id: string }>("workspace", "create", "--name", "Other", "--json");
  await stack.command("campaign", "create", "--workspace", otherId, "--id", campaignId, "--name", "Calls");
  other = {
    baseUrl: calm.baseUrl,
    campaignId,
    agentEmail,
    apiKey: await createKey(otherId, "import"),
    readKey: await createKey(otherId, "read"),
  };
  await postUser(other, { email: agentEmail, name: "Ann Lee", role: "agent", send_invite_email: false });
  playedCall = (await importCall(other, { file: makeRecording(MB).bytes })).id;
  const large = await importCall(serviceAt(stack, busy.port), { file: makeRecording(recordingBytes).bytes });
  const path = `/calls/${large.id}/audio?original=true`;
  for (let n = 0; n < keys; n++) {
    const key = await createKey(workspaceId, "read");
    open.push(await openUnread({ port: busy.port, path, headers: { "x-api-key": key } }, perKey));
    await until("the downloads are in progress", 30_000, async () => (await downloadsOf(key)) === perKey);
  }
}, 180_000);
afterAll(async () => {
  for (const clients of open) clients.close();
  await stack?.stop();
});

async function downloadsOf(key: string): Promise<number> {
  const answer = await send<{ key: { downloads_at_once: { used: number } } }>(`${busy.baseUrl}/limits`, {
    method: "GET",
    headers: { "x-api-key": key },
  });
  return answer.body?.key?.downloads_at_once?.used ?? perKey;
}

/** Duration of `count` sequential runs. */
async function timed(count: number, act: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const began = performance.now();
    expect(await act()).toBe(200);
    times.push(performance.now() - began);
  }
  return percentile(times, quantile);
}

const play = (at: ApiProcess) => async () => {
  const url = `${at.baseUrl}/calls/${playedCall}/audio?original=true`;
  return (await send(url, { method: "GET", headers: { "x-api-key": other.readKey } })).status;
};

const importOne = (at: ApiProcess) => async () => {
  const answer = await tryImport({ ...other, baseUrl: at.baseUrl }, makeRecording(recordingBytes));
  return answer instanceof Error ? answer.message : answer.status;
};

test(`${keys * perKey} unread downloads of one workspace do not slow down playback of another`, {
  timeout: 600_000,
}, async () => {
  await Promise.all([play(calm)(), play(busy)()]);
  await expectNoSlower({
    what: `${measured} of playing 1 MB`,
    calm: () => timed(playsInWindow, play(calm)),
    busy: () => timed(playsInWindow, play(busy)),
  });
});

test("or its imports of 12 MB", { timeout: 600_000 }, async () => {
  await Promise.all([importOne(calm)(), importOne(busy)()]);
  await expectNoSlower({
    what: `${measured} of importing 12 MB`,
    calm: () => timed(importsInWindow, importOne(calm)),
    busy: () => timed(importsInWindow, importOne(busy)),
  });
});

test("all downloads are still open", () => {
  expect(open.flatMap(({ sockets }) => sockets).filter(({ destroyed }) => destroyed)).toEqual([]);
});
