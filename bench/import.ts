import { parseArgs } from "node:util";
import { type Engine, openStack, type Stack, unlimited } from "../e2e/support/stack/stack.ts";
import { startBare } from "./support/bare.ts";
import { cpuOf, cpuOfFamily } from "./support/cpu.ts";
import { makeFolder, postgresPid, startEngine } from "./support/engines.ts";
import { type Measured, toJson, toTable } from "./support/import-report.ts";
import { importsTo } from "./support/imports-to.ts";
import { clients } from "./support/load.ts";
import { aRecording } from "./support/recording.ts";
import { playRound, type Side } from "./support/round.ts";

const usage = `npm run bench -- import [--json] [--seconds N] [--only s3|filesystem]

Imports of recordings of 4.8 MB and 96 KB by ${clients} clients (wrk), compared with sending the same bytes to the bare engine:
presigned PUT for Ceph, and a Node server that only writes and fsyncs for the filesystem. Median of three rounds.

  --json     also print the results as JSON, in the last line
  --seconds  length of a round, 1 to 5; default 2 (about a minute in total)
  --only     only this storage engine`;

const sizes = { "4.8MB": 4_800_000, "96KB": 96_000 };
const rounds = 3;
const warmUpSeconds = 3;

/** Measures imports. Returns the exit code. */
export async function benchImport(args: string[], signal: AbortSignal): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean" },
      seconds: { type: "string", default: "2" },
      only: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const seconds = Number(values.seconds);
  const engines = (["s3", "filesystem"] as const).filter((engine) => engine === (values.only ?? engine));
  const wrong = !Number.isInteger(seconds) || seconds < 1 || seconds > 5 || engines.length === 0;
  if (values.help || wrong) {
    console.error(usage);
    return values.help ? 0 : 2;
  }

  await using cleanup = new AsyncDisposableStack();
  const dir = await makeFolder(cleanup);
  await startEngine("postgres");
  const measured: Measured[] = [];
  for (const engine of engines) measured.push(...(await measureEngine(engine, { seconds, dir, signal, cleanup })));
  console.log(toTable(measured));
  if (values.json) console.log(toJson(measured));
  return 0;
}

interface Plan {
  readonly seconds: number;
  readonly dir: string;
  readonly signal: AbortSignal;
  readonly cleanup: AsyncDisposableStack;
}

/** Measures both sizes on one storage engine, alternating between the two sides. */
async function measureEngine(engine: Engine, { seconds, dir, signal, cleanup }: Plan): Promise<Measured[]> {
  const bare = await startBare(engine, dir, cleanup);
  signal.throwIfAborted();
  const ours = await startOurs(engine, bare, cleanup);

  const measured: Measured[] = [];
  for (const [size, bytes] of Object.entries(sizes)) {
    const recording = aRecording(bytes);
    const play = (side: Side, seconds: number) => playRound(side, { recording, seconds, dir, signal });
    await play(bare, warmUpSeconds);
    await play(ours, warmUpSeconds);
    const result: Measured = { engine, size, bytes, bare: [], ours: [] };
    for (let round = 1; round <= rounds; round++) {
      const bareRound = await play(bare, seconds);
      const ourRound = await play(ours, seconds);
      result.bare.push(bareRound);
      result.ours.push(ourRound);
      const figures = `bare ${bareRound.perSecond.toFixed()}/s, ours ${ourRound.perSecond.toFixed()}/s`;
      console.error(`${engine} ${size}, round ${round} of ${rounds}: ${figures}`);
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

async function countCalls(stack: Stack): Promise<number> {
  const { rows } = await stack.adminDb.query<{ count: number }>("select count(*)::int as count from call");
  return rows[0]?.count ?? 0;
}
