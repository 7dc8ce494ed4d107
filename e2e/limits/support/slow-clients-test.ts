import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countRows } from "../../support/data/damage-report.ts";
import { send } from "../../support/http/http.ts";
import type { Cut, SlowClientsOrder } from "../../support/load/slow-clients.ts";
import { expectNoSlower, type withinFactor3 } from "../../support/measuring/compare-windows.ts";
import { openConnections } from "../../support/measuring/machine.ts";
import { KB, makeRecording, serviceAt, tryImport } from "../../support/recordings/recordings.ts";
import { scale } from "../../support/run-scale.ts";
import type { BareServer } from "../../support/servers/rejecting-server.ts";
import { type ApiProcess, openStack, type Stack, unlimited } from "../../support/stack/stack.ts";
import { openStore, type Store } from "../../support/stack/store.ts";
import { percentile, say, until } from "../../support/waiting.ts";

/*
 * Slow clients may raise the p99 of others by at most 20 %, if the test runs alone, and by a factor of 3 beside other tests. Alternates two kinds of windows: the slow clients send to the
 * service, or to a bare server, so that the cost of running the clients cancels out. Imports start at a fixed rate well
 * below the machine's capacity (open loop). The first second of a window does not count.
 */
const slowClients = 500;
const leadMs = 1_000;
const windowMs = scale(3_000, 3_000, 5_000);
const everyMs = 25;
/** At CI scale a window has 120 imports: its p99 is the second slowest one, which tells more about the machine. */
const quantile = scale(0.9, 0.9, 0.99);
/** Twice the default, so that none times out while others still connect on a busy machine. */
const graceMs = 20_000;

let stack: Stack;
let store: Store;
let api: ApiProcess;
let barePort: number;
/** Keep-alive connections of this process, from the readiness checks. */
let ownConnections: number;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  stack = await openStack(undefined, { ...unlimited, BODY_GRACE_SECONDS: String(graceMs / 1000) });
  store = openStore(stack);
  api = await stack.startApi();
  ownConnections = await openConnections(api.port);
  const bare = fork(join(import.meta.dirname, "../../support/servers/rejecting-server.ts"), { execArgv: [] });
  children.add(bare);
  barePort = Number(new URL(((await once(bare, "message")) as [BareServer])[0].baseUrl).port);
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await stack?.stop();
  await store?.close();
});

/** Opens 500 uploads at 100 bytes per second, in a child process. */
async function openSlowClients(port = api.port) {
  const child = fork(join(import.meta.dirname, "../../support/load/slow-clients.ts"), { execArgv: [] });
  children.add(child);
  child.on("exit", () => children.delete(child));
  const cuts = Promise.withResolvers<readonly Cut[]>();
  const open = Promise.withResolvers<void>();
  child.on("message", (message: { open?: number; cuts?: readonly Cut[] }) => {
    if (message.open) open.resolve();
    if (message.cuts) cuts.resolve(message.cuts);
  });
  const order: SlowClientsOrder = {
    port,
    count: slowClients,
    head: [
      "POST /calls/audio HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      `x-api-key: ${stack.apiKey}`,
      "Content-Type: multipart/form-data; boundary=X",
      `Content-Length: ${1000 * KB}`,
      "",
      "",
    ].join("\r\n"),
    beginning: '--X\r\nContent-Disposition: form-data; name="file"; filename="slow.wav"\r\n\r\nRIFF',
  };
  child.send(order);
  await open.promise;
  const staged = () => countRows(stack, "staged_object");
  if (port === api.port) await until("the API started to receive", 15_000, async () => (await staged()) >= slowClients);
  return {
    cuts: cuts.promise,
    async leave() {
      const gone = once(child, "exit");
      child.send("leave");
      await gone;
      const open = () => openConnections(api.port);
      await until("the API closed the slow connections", 15_000, async () => (await open()) <= ownConnections);
      await until("their staged rows are gone", 30_000, async () => (await staged()) === 0);
    },
  };
}

/** Imports at a fixed rate for one window and returns the quantile of their times. */
async function measureWindow(): Promise<number> {
  const service = serviceAt(stack, api.port);
  const running: Promise<number>[] = [];
  const refused: string[] = [];
  const end = Date.now() + leadMs + windowMs;
  for (let next = Date.now(); next < end; next += everyMs) {
    await sleep(Math.max(0, next - Date.now()));
    const begun = performance.now();
    running.push(
      tryImport(service, makeRecording(60 * KB, "1714557600")).then((answer) => {
        if (answer instanceof Error) refused.push(answer.message);
        else if (answer.status !== 200) refused.push(answer.text);
        return performance.now() - begun;
      }),
    );
  }
  const times = await Promise.all(running);
  expect(refused).toEqual([]);
  return percentile(times.slice(leadMs / everyMs), quantile);
}

/** Without a comparison: by at most 20 %, and disconnected in time. */
export function testSlowClients(comparison?: typeof withinFactor3): void {
  // A slow machine may be late.
  const toleranceMs = comparison ? 60_000 : 5_000;
  test(`${slowClients} clients at 100 bytes per second do not slow down others, and are disconnected`, {
    timeout: 900_000,
  }, async () => {
    // Creates the month's partitions, and warms up.
    await tryImport(serviceAt(stack, api.port), makeRecording(60 * KB, "1714557600"));
    await measureWindow();
    async function besideSlowClientsOf(port: number): Promise<number> {
      const slow = await openSlowClients(port);
      const time = await measureWindow();
      await slow.leave();
      return time;
    }
    await expectNoSlower(
      {
        what: `p${quantile * 100} beside slow clients of another server`,
        calm: () => besideSlowClientsOf(barePort),
        busy: () => besideSlowClientsOf(api.port),
      },
      comparison,
    );

    const slow = await openSlowClients();
    const cuts = await slow.cuts;
    const times = cuts.map(({ ms }) => ms);
    const answerTimes = cuts.flatMap(({ answeredMs }) => answeredMs ?? []);
    const seconds = (values: number[]) =>
      [Math.min(...values), Math.max(...values)].map((ms) => (ms / 1000).toFixed(1));
    say(
      `answered after ${seconds(answerTimes).join(" to ")} s, disconnected after ${seconds(times).join(" to ")} s: ${cuts[0]?.answer}`,
    );
    expect(cuts).toHaveLength(slowClients);
    expect(Math.min(...times)).toBeGreaterThan(graceMs * 0.8);
    expect(Math.max(...times)).toBeLessThan(graceMs + toleranceMs);
    expect(cuts.filter(({ answer }) => answer !== "" && !/^HTTP\/1\.1 4\d\d/.test(answer))).toEqual([]);
    await slow.leave();
    expect((await send(`${api.baseUrl}/readyz`, { method: "GET" })).status).toBe(200);
  });
}
