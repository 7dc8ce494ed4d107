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
import { full } from "../support/sizes.ts";
import { type ApiProcess, openStack, type Stack } from "../support/stack.ts";
import { percentile, say } from "../support/waiting.ts";

/*
 * "The other's p95 +20 % at most" is compared inside one run, for machines differ and drift. Windows take turns: in one
 * kind the flooding workspace sends ten times what it may; in the other it sends what it may, and the rest goes to a bare
 * server beside the service that only refuses. So both have the same work to do and the same traffic on this machine,
 * which sends the flood, too, and differ in who refuses. The other customer imports and reads at a steady rate in all of
 * them, whatever the earlier ones take. The first second of a window, in which the flood may send what it had saved up,
 * does not count. At full size the median of the windows' p95 in the flood may exceed the other median by 20 %. In CI, where the
 * windows are few and other work runs on the same cores, it may exceed the worst of them by 20 %.
 */
const windows = full ? 7 : 5;
const leadMs = 1_000;
const windowMs = full ? 9_000 : 2_500;
const everyMs = 25;
/** What the flooding workspace may send, each second. */
const limits = { reads: 30, imports: 10 };
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
  const calm: number[] = [];
  const loud: number[] = [];
  const behaved: Flood[] = [];
  const floods: Flood[] = [];
  // The first of each warms up, and does not count.
  for (let window = 0; window <= windows; window++) {
    const one = await windowWith({ baseUrl: api.baseUrl, times: 1 }, { baseUrl: bareUrl, times: times - 1 });
    const other = await windowWith({ baseUrl: api.baseUrl, times });
    behaved.push(one.flood);
    floods.push(other.flood);
    if (window > 0) {
      calm.push(one.p95);
      loud.push(other.p95);
    }
  }
  const list = (values: number[]) => values.map((ms) => ms.toFixed(1)).join(", ");
  say(`p95 beside a workspace within its limits: ${list(calm)} ms; beside a flood: ${list(loud)} ms`);
  const [usual, worst] = [percentile(calm, 0.5), Math.max(...calm)];
  const busy = percentile(loud, 0.5);
  say(`medians: ${usual.toFixed(1)} and ${busy.toFixed(1)} ms, ratio ${(busy / usual).toFixed(2)}`);

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

  expect(busy).toBeLessThanOrEqual((full ? usual : worst) * 1.2);
});
