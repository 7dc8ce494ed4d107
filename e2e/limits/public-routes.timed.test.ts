import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../support/http/http.ts";
import { openUnread, type UnreadClients } from "../support/load/unread-clients.ts";
import type { Probed } from "../support/measuring/health-prober.ts";
import { retryOnCpuSteal } from "../support/measuring/retry-on-cpu-steal.ts";
import { scale } from "../support/run-scale.ts";
import { type ApiProcess, openStack, type Stack, unlimited } from "../support/stack/stack.ts";
import { say } from "../support/waiting.ts";

/*
 * Requests without credentials. The limit per address is off, to simulate an attacker with many addresses.
 */
const clients = scale(80, 80, 500);
const maxMb = 50;

const routes = [
  ...["/", "/healthz", "/readyz", "/metrics", "/openapi.json", "/docs", "/docs/", "/docs/js/scalar.js"],
  ...["/errors/internal", "/session/options", "/session/oidc", "/nowhere", "/calls", "/console/", "CONSOLE FILE"],
];

let stack: Stack;
let api: ApiProcess;
let consoleFile: string;
/** Probe the API under test and a control that gets no other requests. */
let probers: { readonly tested: ChildProcess; readonly control: ChildProcess };
let quietMb: number;

async function rssMb(): Promise<number> {
  const status = await readFile(`/proc/${api.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

interface Slowest {
  readonly tested: number;
  readonly control: number;
}

function startProber({ baseUrl }: ApiProcess): ChildProcess {
  const prober = fork(join(import.meta.dirname, "../support/measuring/health-prober.ts"), { execArgv: [] });
  prober.send({ url: `${baseUrl}/healthz` });
  return prober;
}

async function endProbe(prober: ChildProcess): Promise<number> {
  const answered = once(prober, "message") as Promise<[Probed]>;
  prober.send("end");
  const [{ slowestMs, count }] = await answered;
  expect(count).toBeGreaterThan(0);
  return slowestMs;
}

/** The slowest health checks while `work` runs. */
async function slowestHealthMs(work: () => Promise<unknown>): Promise<Slowest> {
  for (const prober of Object.values(probers)) prober.send("begin");
  await work();
  const [tested, control] = await Promise.all([endProbe(probers.tested), endProbe(probers.control)]);
  return { tested, control };
}

const pathOf = (route: string) => (route === "CONSOLE FILE" ? consoleFile : route);

beforeAll(async () => {
  stack = await openStack(undefined, { ...unlimited, RESPONSE_GRACE_SECONDS: "600" });
  const [tested, control] = await Promise.all([stack.startApi(), stack.startApi()]);
  api = tested;
  const page = await send(`${api.baseUrl}/console/`, { method: "GET" });
  const files = [...page.text.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
  const sizes = await Promise.all(
    files.map(async (path) => ({ path, size: (await send(api.baseUrl + path, { method: "GET" })).text.length })),
  );
  consoleFile = sizes.toSorted((one, other) => other.size - one.size)[0]?.path ?? "/console/";
  for (let n = 0; n < 20; n++) {
    for (const route of routes) await send(api.baseUrl + pathOf(route), { method: "GET" });
  }
  probers = { tested: startProber(tested), control: startProber(control) };
  await sleep(500);
  const quiet = await slowestHealthMs(() => sleep(500));
  quietMb = await rssMb();
  say(`quiet: ${quietMb.toFixed(0)} MB, /healthz ${quiet.tested.toFixed(1)} ms`);
}, 120_000);
afterAll(async () => {
  for (const prober of Object.values(probers ?? {})) prober.kill("SIGKILL");
  await stack?.stop();
});

/** On a busy machine the control is slow as well. */
const maxMs = ({ control }: Slowest) => scale(Math.max(100, 3 * control), Math.max(100, 3 * control), 100);

test.each(routes)(
  `${clients} unread and ${clients} aborted requests cost little: %s`,
  async (route) => {
    const path = pathOf(route);
    const beforeMb = await rssMb();
    let unread: UnreadClients | undefined;
    const whileUnread = await retryOnCpuSteal(() => {
      unread?.close();
      return slowestHealthMs(async () => {
        unread = await openUnread({ port: api.port, path }, clients);
        await sleep(500);
      });
    });
    const openMb = await rssMb();
    unread?.close();
    const whileAborted = await retryOnCpuSteal(() =>
      slowestHealthMs(async () => {
        (await openUnread({ port: api.port, path }, clients)).close();
        await sleep(200);
      }),
    );
    const abortedMb = await rssMb();
    const growth = [openMb - beforeMb, abortedMb - beforeMb, abortedMb - quietMb].map((mb) => mb.toFixed(0)).join(", ");
    const told = ({ tested, control }: Slowest) => `${tested.toFixed(0)} (control ${control.toFixed(0)})`;
    say(
      `${path}: /healthz at most ${told(whileUnread)} and ${told(whileAborted)} ms; memory: ${growth} MB (unread, aborted, since the beginning)`,
    );
    expect(Math.max(openMb, abortedMb) - beforeMb).toBeLessThanOrEqual(maxMb);
    for (const slowest of [whileUnread, whileAborted]) expect(slowest.tested).toBeLessThanOrEqual(maxMs(slowest));
  },
  180_000,
);
