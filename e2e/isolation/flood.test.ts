import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { BareServer } from "../support/bare-refusals.ts";
import type { Flood, FloodOrder, Stream } from "../support/flood.ts";
import { send } from "../support/http.ts";
import { aRecording, KB, tryImport } from "../support/recordings.ts";
import { importCall, postUser, type Service } from "../support/service.ts";
import { expectNoSlower } from "../support/side-by-side.ts";
import { full } from "../support/sizes.ts";
import { type ApiProcess, openStack, type Stack } from "../support/stack.ts";
import { percentile, say } from "../support/waiting.ts";

/*
 * "The other's p95 +20 % at most": windows take turns. In one kind the flooding workspace sends ten times what it may; in
 * the other it sends what it may, and the rest goes to a bare server beside the service that only refuses. So both have
 * the same work to do and the same traffic on this machine, which sends the flood, too, and differ in who refuses. The
 * other customer imports and reads at a steady rate in all of them, whatever the earlier ones take. The first second of a
 * window, in which the flood may send what it had saved up, does not count.
 */
const leadMs = 1_000;
const windowMs = full ? 9_000 : 4_000;
/*
 * In CI everything is sent half as often. Two slow cores are the service, the engines, the flood and who measures it: with
 * nothing left to spare, a machine is slowed by whatever comes.
 */
const everyMs = full ? 25 : 50;
/** What the flooding workspace may send, each second. */
const limits = full ? { reads: 30, imports: 10 } : { reads: 15, imports: 5 };
const times = 10;

interface Customer extends Service {
  readonly workspaceId: string;
  readonly readKey: string;
  readonly readKeyId: string;
  readonly path: string;
}

let stack: Stack;
let api: ApiProcess;
let flooding: Customer;
let steady: Customer;
let client: ChildProcess;
let bare: ChildProcess;
let bareUrl: string;

async function aCustomer(workspaceId: string): Promise<Customer> {
  const aKey = (scope: string) =>
    stack.command<{ id: string; key: string }>(
      ...["key", "create", "--workspace", workspaceId, "--name", scope, "--scope", scope, "--json"],
    );
  const [importKey, readKey] = [await aKey("import"), await aKey("read")];
  const { campaignId, agentEmail } = stack;
  const service = { baseUrl: api.baseUrl, apiKey: importKey.key, campaignId, agentEmail };
  await postUser(service, { email: agentEmail, name: "Ann Lee", role: "agent", send_invite_email: false });
  const call = await importCall(service);
  return { ...service, workspaceId, readKey: readKey.key, readKeyId: readKey.id, path: `/calls/${call.id}` };
}

beforeAll(async () => {
  stack = await openStack();
  api = await stack.startApi();
  const other = await stack.command<{ id: string }>("workspace", "create", "--name", "Other", "--json");
  await stack.command("campaign", "create", "--workspace", other.id, "--id", stack.campaignId, "--name", "Calls");
  flooding = await aCustomer(stack.workspaceId);
  steady = await aCustomer(other.id);
  const [workspace, ofImports, ofReads] = [flooding.workspaceId, String(limits.imports), String(limits.reads)];
  await stack.command("workspace", "limits", workspace, "--imports-per-second", ofImports, "--json");
  await stack.command(
    ...["key", "limits", flooding.readKeyId, "--workspace", workspace, "--requests-per-second", ofReads, "--json"],
  );
  bare = fork(join(import.meta.dirname, "../support/bare-refusals.ts"), { execArgv: [] });
  bareUrl = ((await once(bare, "message")) as [BareServer])[0].baseUrl;
  client = fork(join(import.meta.dirname, "../support/flood.ts"), { execArgv: [] });
  const order: FloodOrder = {
    service: flooding,
    readKey: flooding.readKey,
    path: flooding.path,
    readsPerSecond: limits.reads,
    importsPerSecond: limits.imports,
    leadMs,
  };
  client.send(order);
}, 120_000);
afterAll(async () => {
  client?.kill("SIGKILL");
  bare?.kill("SIGKILL");
  await stack?.stop();
});

/** A window in which the other workspace sends this. Gives what came of the first stream. */
async function windowWith(...streams: Stream[]): Promise<{ p95: number; flood: Flood }> {
  client.send({ streams });
  const p95 = await measureWindow();
  const told = once(client, "message") as Promise<[{ floods: [Flood] }]>;
  client.send("rest");
  return { p95, flood: (await told)[0].floods[0] };
}

/** Imports and reads in turn at a steady rate for the time of a window, and gives the p95 of their times. */
async function measureWindow(): Promise<number> {
  const running: Promise<number>[] = [];
  const refused: string[] = [];
  const end = Date.now() + leadMs + windowMs;
  const read = () =>
    send(`${steady.baseUrl}${steady.path}`, { method: "GET", headers: { "x-api-key": steady.readKey } });
  for (let next = Date.now(); next < end; next += everyMs) {
    await sleep(Math.max(0, next - Date.now()));
    const begun = performance.now();
    const asked = running.length % 2 === 0 ? read() : tryImport(steady, aRecording(60 * KB, "1714557600"));
    running.push(
      asked.then((answer) => {
        if (answer instanceof Error) refused.push(answer.message);
        else if (answer.status !== 200) refused.push(answer.text);
        return performance.now() - begun;
      }),
    );
  }
  const times = await Promise.all(running);
  expect(refused).toEqual([]);
  return percentile(times.slice(leadMs / everyMs), 0.95);
}

const countCalls = async (workspaceId: string) =>
  (await stack.adminDb.query("select 1 from call where workspace_id = $1", [workspaceId])).rows.length;

test("a workspace that sends ten times its limits is told so, gets what it may, and does not slow another", {
  timeout: 600_000,
}, async () => {
  const before = await countCalls(flooding.workspaceId);
  const behaved: Flood[] = [];
  const floods: Flood[] = [];
  async function besideThose(kept: Flood[], ...streams: Stream[]): Promise<number> {
    const { p95, flood } = await windowWith(...streams);
    kept.push(flood);
    return p95;
  }
  const calm = () => besideThose(behaved, { baseUrl: api.baseUrl, times: 1 }, { baseUrl: bareUrl, times: times - 1 });
  const busy = () => besideThose(floods, { baseUrl: api.baseUrl, times });
  // The first of each warms up.
  await calm();
  await busy();
  await expectNoSlower({ what: "p95 beside a workspace within its limits", calm, busy });

  const sum = (name: Exclude<keyof Flood, "wrong">) => floods.reduce((total, flood) => total + flood[name], 0);
  const reads = sum("acceptedReads") / sum("seconds");
  const imports = sum("acceptedImports") / sum("seconds");
  const accepted = `${reads.toFixed(1)} of ${limits.reads} reads and ${imports.toFixed(1)} of ${limits.imports} imports a second`;
  say(`the flood: ${sum("sent")} sent, ${sum("refused")} refused, accepted ${accepted}`);
  expect([...behaved, ...floods].flatMap(({ wrong }) => wrong)).toEqual([]);
  expect(sum("refused")).toBeGreaterThan(sum("sent") * 0.7);
  for (const [rate, limit] of [
    [reads, limits.reads],
    [imports, limits.imports],
  ] as const) {
    expect(rate).toBeGreaterThan(limit * 0.9);
    expect(rate).toBeLessThan(limit * 1.1);
  }
  const imported = [...behaved, ...floods].reduce((total, flood) => total + flood.imported, 0);
  expect((await countCalls(flooding.workspaceId)) - before).toBe(imported);
});
