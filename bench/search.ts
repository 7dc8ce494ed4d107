import { join } from "node:path";
import { parseArgs } from "node:util";
import { searchCases } from "./support/search-cases.ts";
import { type LoadedDatabase, openCluster } from "./support/search-cluster.ts";
import { compareImports } from "./support/search-imports.ts";
import { measureDepth, measureSearches } from "./support/search-measure.ts";
import { findSequentialScans } from "./support/search-plans.ts";
import { toFigures, toSearchTable } from "./support/search-report.ts";
import { startService } from "./support/search-service.ts";

const smallCalls = 100_000;
const defaultCalls = 10_000_000;

const usage = `npm run bench -- search [--json] [--calls N] [--rounds N] [--rebuild] [--dir DIR]

The first page of GET /calls for each filter and the likeliest pairs, over HTTP, beside reading 50 calls by their primary
key as the service's role: with ${defaultCalls.toLocaleString("en")} calls of one workspace among 12 million, and with ${smallCalls.toLocaleString("en")}. Page 2,000 beside page 1.
Imports with the calls there beside an empty database. Fails where a plan reads a whole table.

  --json     the figures once more as one line of JSON, the last one
  --calls    instead of 10 million; 100,000 at least
  --rounds   how often each search takes its turn; 200 if absent
  --rebuild  makes the data anew. They are kept otherwise: about 25 GB, and a quarter of an hour to make
  --dir      where they are kept; /var/tmp/hearback-bench-search if absent`;

/** Measures searching; gives the exit code. */
export async function benchSearch(args: string[], signal: AbortSignal): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean" },
      calls: { type: "string", default: String(defaultCalls) },
      rounds: { type: "string", default: "200" },
      rebuild: { type: "boolean", default: false },
      dir: { type: "string", default: "/var/tmp/hearback-bench-search" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [calls, rounds] = [Number(values.calls), Number(values.rounds)];
  const wrong = !Number.isInteger(calls) || calls < smallCalls || !Number.isInteger(rounds) || rounds < 1;
  if (values.help || wrong) {
    console.error(usage);
    return values.help ? 0 : 2;
  }

  await using cleanup = new AsyncDisposableStack();
  const cluster = await openCluster(values.dir, cleanup);
  const databases: LoadedDatabase[] = [];
  // All of them first: making one restarts the engine.
  for (const count of [calls, smallCalls, 0]) {
    databases.push(await cluster.database(count, { rebuild: values.rebuild, signal }));
  }
  const [big, small, empty] = await Promise.all(databases.map((one) => startService(cluster, one, cleanup)));
  if (!big || !small || !empty) throw new Error("three databases make three services");

  const queries = searchCases.flatMap(({ query }) => [0, 1].map((turn) => query(turn, big.database.end)));
  const { plans, scans } = await findSequentialScans(cluster, big.database, queries);
  if (plans < queries.length) throw new Error(`only ${plans} plans were written down`);
  if (scans.length > 0) throw new Error(`whole tables are read:\n${[...new Set(scans)].slice(0, 10).join("\n")}`);
  console.error(`${plans} plans, none of them reads a whole table`);

  const samples = await measureSearches({ cluster, big, small, rounds, signal });
  const deep = await measureDepth({ cluster, big, rounds, signal });
  const dir = join(import.meta.dirname, "../.data/bench/search");
  const imports = await compareImports(cluster, { full: big, empty, dir, signal });
  console.log(toSearchTable(samples));
  console.log(
    `Page 2,000 costs ${deep.toFixed(2)} times page 1. Imports: ${imports.toFixed(2)} of an empty database's.`,
  );
  const figures = { ...toFigures(samples), deep_page: deep, import_ratio: imports };
  if (values.json) console.log(JSON.stringify(rounded(figures)));
  return 0;
}

const rounded = (figures: Record<string, number>) =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toPrecision(3))]));
