import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Backfill, backfillOptions, writeBackfill } from "../e2e/support/recordings/backfill.ts";
import { startCommand } from "../e2e/support/stack/command.ts";
import { openStack, type Stack, unlimited } from "../e2e/support/stack/stack.ts";
import { cpuOf, cpuOfFamily } from "./support/cpu.ts";
import { cephPids, makeFolder, postgresPid, startEngine } from "./support/engines.ts";
import { importsTo } from "./support/imports-to.ts";
import { clients, send } from "./support/load.ts";
import { aRecording } from "./support/recording.ts";

const usage = `npm run bench -- importer [--json] [--calls N] [--seconds N]

\`hearback import\` of recordings of 100 KB with 300 new agents, on a machine that runs PostgreSQL, Ceph, the API and a
worker; compared with wrk sending the same size to the same API with the same concurrency (${clients}), before and after.

  --json     also print the results as JSON, in the last line
  --calls    number of calls to import; default 20,000
  --seconds  length of each of the five wrk rounds, the first of which is a warm-up; default 15`;

const bytes = 100 * 1024;
const agents = 300;

interface Summary {
  readonly rows: number;
  readonly imported: number;
  readonly failed: number;
  readonly seconds: { readonly reading: number; readonly importing: number; readonly reconciling: number };
  readonly reconciliation: { readonly present: number };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Measures the CLI import. Returns the exit code. */
export async function benchImporter(args: string[], signal: AbortSignal): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean" },
      calls: { type: "string", default: "20000" },
      seconds: { type: "string", default: "15" },
      help: { type: "boolean", short: "h" },
    },
  });
  const calls = Number(values.calls);
  const seconds = Number(values.seconds);
  if (values.help || !(calls >= 1_000) || !(seconds >= 1 && seconds <= 60)) {
    console.error(usage);
    return values.help ? 0 : 2;
  }

  await using cleanup = new AsyncDisposableStack();
  const dir = await makeFolder(cleanup);
  await startEngine("postgres");
  await startEngine("s3");
  const stack = await openStack("s3", unlimited);
  cleanup.defer(() => stack.stop());
  const api = await stack.startApi();
  const worker = await stack.startWorker();
  console.error(`writing ${calls} recordings`);
  const backfill = await writeBackfill(join(dir, "backfill"), { calls, agents, bytes });

  const makeLoad = importsTo(api.baseUrl, stack);
  const byWrk: number[] = [];
  async function playWrk(): Promise<void> {
    const { perSecond } = await send(makeLoad(aRecording(bytes), seconds), { dir, seconds, clients, signal });
    console.error(`wrk: ${perSecond.toFixed()} calls/s`);
    byWrk.push(perSecond);
  }
  const readCpu = () => ({
    api: cpuOf(api.pid),
    postgres: cpuOfFamily(postgresPid()),
    ceph: cpuOf(cephPids().gateway) + cpuOf(cephPids().osd),
    worker: cpuOfFamily(worker.pid),
  });

  // The first round is a warm-up.
  for (let round = 0; round < 3; round++) await playWrk();
  byWrk.shift();
  const before = readCpu();
  const { summary, commandCpu } = await playCommand({ baseUrl: api.baseUrl, stack, backfill, calls, signal });
  const after = { ...readCpu(), command: commandCpu };
  for (let round = 0; round < 2; round++) await playWrk();

  report({ calls, byWrk, summary, cpuMs: perCall(before, after, calls), json: values.json ?? false });
  return 0;
}

interface CommandPlay {
  readonly baseUrl: string;
  readonly stack: Stack;
  readonly backfill: Backfill;
  readonly calls: number;
  readonly signal: AbortSignal;
}

/** Runs the command; throws unless it imported and reconciled everything. */
async function playCommand({ baseUrl, stack, backfill, calls, signal }: CommandPlay) {
  signal.throwIfAborted();
  const command = startCommand(
    { baseUrl, apiKey: stack.apiKey },
    ...["import", ...backfillOptions(backfill, stack.campaignId)],
    ...["--create-agents", "--yes", "--json", "--concurrency", String(clients)],
  );
  signal.addEventListener("abort", () => command.child.kill());
  let commandCpu = 0;
  const watch = setInterval(() => {
    if (command.child.exitCode === null) commandCpu = cpuOf(command.pid);
  }, 200);
  const code = await command.ended;
  clearInterval(watch);
  if (code !== 0) throw new Error(`the import exited with code ${code}:\n${command.stderr()}`);
  const summary = JSON.parse(command.stdout().trim().split("\n").at(-1) ?? "") as Summary;
  if (summary.imported !== calls || summary.reconciliation.present !== calls) {
    throw new Error(`not all calls were imported: ${command.stdout()}`);
  }
  return { summary, commandCpu };
}

const perCall = (before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>, calls: number) =>
  Object.fromEntries(
    Object.entries(after).map(([name, seconds]) => [name, ((seconds - (before[name] ?? 0)) * 1000) / calls]),
  );

interface Figures {
  readonly calls: number;
  readonly byWrk: readonly number[];
  readonly summary: Summary;
  readonly cpuMs: Readonly<Record<string, number>>;
  readonly json: boolean;
}

function report({ calls, byWrk, summary, cpuMs, json }: Figures): void {
  const { reading, importing, reconciling } = summary.seconds;
  const perSecond = calls / importing;
  const ratio = perSecond / mean(byWrk);
  const times = [reading, importing, reconciling].map((time) => `${time.toFixed(1)} s`);
  const cpu = Object.entries(cpuMs).map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  console.log(`wrk, ${clients} clients  ${byWrk.map((rate) => rate.toFixed()).join(", ")} calls/s`);
  console.log(`hearback import  ${perSecond.toFixed()} calls/s, ${ratio.toFixed(2)}x wrk`);
  console.log(`reading, importing and reconciling took ${times.join(", ")}`);
  console.log(`CPU milliseconds per call: ${cpu.join(", ")}`);
  if (!json) return;
  const rounded = (value: number) => Number(value.toPrecision(4));
  const roundedCpu = Object.fromEntries(Object.entries(cpuMs).map(([name, ms]) => [name, rounded(ms)]));
  const figures = { ratio: rounded(ratio), per_second: rounded(perSecond), wrk_per_second: byWrk.map(rounded) };
  console.log(JSON.stringify({ ...figures, seconds: summary.seconds, cpu_ms: roundedCpu }));
}
