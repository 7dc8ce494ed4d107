import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../../support/http/http.ts";
import { importCall, postUser, type Service } from "../../support/http/service.ts";
import type { Flood, FloodOrder, Stream } from "../../support/load/flood.ts";
import { expectNoSlower, type withinFactor3 } from "../../support/measuring/compare-windows.ts";
import { KB, makeRecording, tryImport } from "../../support/recordings/recordings.ts";
import { scale } from "../../support/run-scale.ts";
import type { BareServer } from "../../support/servers/rejecting-server.ts";
import { type ApiProcess, openStack, type Stack } from "../../support/stack/stack.ts";
import { percentile, say } from "../../support/waiting.ts";

/*
 * The p95 of the other workspace may grow by at most 20 % if the test runs alone, and to 3 times beside other tests.
 * Alternates two kinds of windows. In one, the flooding workspace sends ten times its limits to the service. In the other, it
 * sends only its limits to the service and the rest to a bare server that rejects everything. Both have the same traffic on
 * this machine and differ only in who rejects it. The other workspace imports and reads at a fixed rate in both (open loop).
 * The first second of a window, in which the flood can use its burst, does not count.
 */
const leadMs = 1_000;
const windowMs = scale(4_000, 4_000, 9_000);
/*
 * CI uses half the rates: two slow cores run the service, the engines, the flood and the measurement. Without spare
 * capacity any load would slow the machine.
 */
const everyMs = scale(50, 50, 25);
/** Limits of the flooding workspace, per second. */
const limits = scale({ reads: 15, imports: 5 }, { reads: 15, imports: 5 }, { reads: 30, imports: 10 });
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

async function createCustomer(workspaceId: string): Promise<Customer> {
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
  flooding = await createCustomer(stack.workspaceId);
  steady = await createCustomer(other.id);
  const [workspace, ofImports, ofReads] = [flooding.workspaceId, String(limits.imports), String(limits.reads)];
  await stack.command("workspace", "limits", workspace, "--imports-per-second", ofImports, "--json");
  await stack.command(
    ...["key", "limits", flooding.readKeyId, "--workspace", workspace, "--requests-per-second", ofReads, "--json"],
  );
  bare = fork(join(import.meta.dirname, "../../support/servers/rejecting-server.ts"), { execArgv: [] });
  bareUrl = ((await once(bare, "message")) as [BareServer])[0].baseUrl;
  client = fork(join(import.meta.dirname, "../../support/load/flood.ts"), { execArgv: [] });
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

/** Measures a window while the flooding workspace sends these streams. Returns the result of the first stream. */
async function windowWith(...streams: Stream[]): Promise<{ p95: number; flood: Flood }> {
  client.send({ streams });
  const p95 = await measureWindow();
  const finished = once(client, "message") as Promise<[{ floods: [Flood] }]>;
  client.send("rest");
  return { p95, flood: (await finished)[0].floods[0] };
}

/** Alternates imports and reads at a fixed rate for one window and returns the p95 of their durations. */
async function measureWindow(): Promise<number> {
  const running: Promise<number>[] = [];
  const refused: string[] = [];
  const end = Date.now() + leadMs + windowMs;
  const read = () =>
    send(`${steady.baseUrl}${steady.path}`, { method: "GET", headers: { "x-api-key": steady.readKey } });
  for (let next = Date.now(); next < end; next += everyMs) {
    await sleep(Math.max(0, next - Date.now()));
    const begun = performance.now();
    const asked = running.length % 2 === 0 ? read() : tryImport(steady, makeRecording(60 * KB, "1714557600"));
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

/** Without a comparison: does not slow down another by more than 20 %. */
export function testFlood(comparison?: typeof withinFactor3): void {
  // A busy machine may send less than ten times the limits.
  const fewest = comparison ? 1 / 3 : 0.9;
  test("a workspace that sends ten times its limits gets 429s and its share, and does not slow down another", {
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
    // The first window of each kind is a warm-up.
    await calm();
    await busy();
    await expectNoSlower({ what: "p95 beside a workspace within its limits", calm, busy }, comparison);

    const sum = (name: Exclude<keyof Flood, "wrong">) => floods.reduce((total, flood) => total + flood[name], 0);
    const reads = sum("acceptedReads") / sum("seconds");
    const imports = sum("acceptedImports") / sum("seconds");
    const accepted = `${reads.toFixed(1)} of ${limits.reads} reads and ${imports.toFixed(1)} of ${limits.imports} imports a second`;
    say(`the flood: ${sum("sent")} sent, ${sum("refused")} rejected, accepted ${accepted}`);
    expect([...behaved, ...floods].flatMap(({ wrong }) => wrong)).toEqual([]);
    expect(sum("refused")).toBeGreaterThan(sum("sent") * 0.7);
    for (const [rate, limit] of [
      [reads, limits.reads],
      [imports, limits.imports],
    ] as const) {
      expect(rate).toBeGreaterThan(limit * fewest);
      expect(rate).toBeLessThan(limit * 1.1);
    }
    const imported = [...behaved, ...floods].reduce((total, flood) => total + flood.imported, 0);
    expect((await countCalls(flooding.workspaceId)) - before).toBe(imported);
  });
}
