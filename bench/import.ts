import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Engine, openStack, type Stack, unlimited } from "../e2e/support/stack/stack.ts";
import { startBare } from "./support/bare.ts";
import { cpuOf, cpuOfFamily } from "./support/cpu.ts";
import { makeFolder, postgresPid, startEngine } from "./support/engines.ts";
import { type Measured, sides, toJson, toTable } from "./support/import-report.ts";
import { importsTo } from "./support/imports-to.ts";
import { clients } from "./support/load.ts";
import { aRecording } from "./support/recording.ts";
import { playRound, type Side } from "./support/round.ts";
import { startServer } from "./support/start-server.ts";

const usage = `npm run bench -- import [--json] [--seconds N] [--rounds N] [--clients N] [--size 4.8MB|96KB] [--only s3|filesystem]

Imports of recordings of 4.8 MB and 96 KB by ${clients} clients (wrk), compared with sending the same bytes to the bare engine
(presigned PUT for Ceph, and a Node server that only writes and fsyncs for the filesystem), and with the ceiling: a Node server
that parses the same form, hashes and stores the recording, and inserts one row (bench/ceiling.ts). Median of the rounds.

  --json     also print the results as JSON, in the last line
  --seconds  length of a round, 1 to 5; default 2 (about a minute and a half in total)
  --rounds   rounds of each side, 1 to 20; default 3
  --clients  concurrent clients, 1 to 64; default ${clients}
  --size     only recordings of this size: 4.8MB or 96KB
  --only     only this storage engine`;

const allSizes = [
  { name: "4.8MB", bytes: 4_800_000 },
  { name: "96KB", bytes: 96_000 },
];
const warmUpSeconds = 3;

/** Measures imports. Returns the exit code. */
export async function benchImport(args: string[], signal: AbortSignal): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean" },
      seconds: { type: "string", default: "2" },
      rounds: { type: "string", default: "3" },
      clients: { type: "string", default: String(clients) },
      size: { type: "string" },
      only: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const numbers = { seconds: Number(values.seconds), rounds: Number(values.rounds), clients: Number(values.clients) };
  const engines = (["s3", "filesystem"] as const).filter((engine) => engine === (values.only ?? engine));
  const sizes = allSizes.filter(({ name }) => name === (values.size ?? name));
  const isWithin = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most;
  const isValid =
    isWithin(numbers.seconds, 5) && isWithin(numbers.rounds, 20) && isWithin(numbers.clients, 64) && sizes.length > 0;
  if (values.help || !isValid || engines.length === 0) {
    console.error(usage);
    return values.help ? 0 : 2;
  }

  await using cleanup = new AsyncDisposableStack();
  const dir = await makeFolder(cleanup);
  await startEngine("postgres");
  const measured: Measured[] = [];
  for (const engine of engines)
    measured.push(...(await measureEngine(engine, { ...numbers, sizes, dir, signal, cleanup })));
  console.log(toTable(measured));
  if (values.json) console.log(toJson(measured));
  return 0;
}

interface Plan {
  readonly seconds: number;
  readonly rounds: number;
  readonly clients: number;
  readonly sizes: readonly { readonly name: string; readonly bytes: number }[];
  readonly dir: string;
  readonly signal: AbortSignal;
  readonly cleanup: AsyncDisposableStack;
}

/** Measures all sizes on one storage engine, alternating between the sides. */
async function measureEngine(engine: Engine, plan: Plan): Promise<Measured[]> {
  const { rounds, clients, dir, signal, cleanup } = plan;
  const bare = await startBare(engine, dir, cleanup);
  signal.throwIfAborted();
  const ours = await startOurs(engine, bare, cleanup);
  const ceiling = await startCeiling(engine, bare, plan);

  const measured: Measured[] = [];
  for (const { name: size, bytes } of plan.sizes) {
    const recording = aRecording(bytes);
    const play = (side: Side, seconds: number) => playRound(side, { recording, seconds, clients, dir, signal });
    for (const side of [bare, ceiling, ours]) await play(side, warmUpSeconds);
    const result: Measured = { engine, size, bytes, bare: [], ceiling: [], ours: [] };
    for (let round = 1; round <= rounds; round++) {
      for (const name of sides) result[name].push(await play({ bare, ceiling, ours }[name], plan.seconds));
      const rates = sides.map((name) => `${name} ${result[name].at(-1)?.perSecond.toFixed()}/s`);
      console.error(`${engine} ${size}, round ${round} of ${rounds}: ${rates.join(", ")}`);
    }
    measured.push(result);
  }
  return measured;
}

/**
 * Starts one API process in its default configuration, without a worker, because preparation is not part of an import.
 */
async function startOurs(engine: Engine, bare: Side, cleanup: AsyncDisposableStack): Promise<Side> {
  const stack = await openStack(engine, unlimited);
  cleanup.defer(() => stack.stop());
  const api = await stack.startApi();
  return {
    makeLoad: importsTo(api.baseUrl, stack),
    readCpu: () => ({ api: cpuOf(api.pid), postgres: cpuOfFamily(postgresPid()), ...bare.readCpu() }),
    countCalls: () => countCalls(stack),
  };
}

/** It gets the same requests. */
async function startCeiling(engine: Engine, bare: Side, { dir, cleanup }: Plan): Promise<Side> {
  const folder = join(dir, "ceiling");
  await mkdir(folder, { recursive: true });
  const { baseUrl, pid } = await startServer("ceiling.ts", engine === "s3" ? [] : [folder], cleanup);
  return {
    makeLoad: importsTo(baseUrl, { apiKey: "none", campaignId: "support", agentEmail: "ann@example.com" }),
    readCpu: () => ({ api: cpuOf(pid), postgres: cpuOfFamily(postgresPid()), ...bare.readCpu() }),
  };
}

async function countCalls(stack: Stack): Promise<number> {
  const { rows } = await stack.adminDb.query<{ count: number }>("select count(*)::int as count from call");
  return rows[0]?.count ?? 0;
}
