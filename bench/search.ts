import { join } from "node:path";
import { parseArgs } from "node:util";
import { searchCases } from "./support/search/search-cases.ts";
import { type LoadedDatabase, openCluster } from "./support/search/search-cluster.ts";
import { compareImports } from "./support/search/search-imports.ts";
import { measureDepth, measureSearches } from "./support/search/search-measure.ts";
import { findSequentialScans } from "./support/search/search-plans.ts";
import { toFigures, toSearchTable } from "./support/search/search-report.ts";
import { startService } from "./support/search/search-service.ts";

const smallCalls = 100_000;
const defaultCalls = 10_000_000;

const usage = `npm run bench -- search [--json] [--calls N] [--rounds N] [--rebuild] [--dir DIR]

The first page of GET /calls for each filter and the most common pairs, over HTTP, compared with reading 50 calls by primary
key as the service's role: with ${defaultCalls.toLocaleString("en")} calls of one workspace among 12 million, and with ${smallCalls.toLocaleString("en")}. Page 2,000 compared with page 1.
Imports into the full database compared with an empty one. Fails if a query plan scans a whole table.

  --json     also print the results as JSON, in the last line
  --calls    number of calls instead of 10 million; at least 100,000
  --rounds   repetitions of each search; default 200
  --rebuild  recreate the data, which is otherwise reused: about 25 GB, created in 15 minutes
  --dir      location of the data; default /var/tmp/hearback-bench-search`;

/** Measures searches. Returns the exit code. */
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
  // Create all databases first, because creating one restarts the engine.
  for (const count of [calls, smallCalls, 0]) {
    databases.push(await cluster.database(count, { rebuild: values.rebuild, signal }));
  }
  const [big, small, empty] = await Promise.all(databases.map((database) => startService(cluster, database, cleanup)));
  if (!big || !small || !empty) throw new Error("expected three services");

  const queries = searchCases.flatMap(({ query }) => [0, 1].map((turn) => query(turn, big.database.end)));
  const { plans, scans } = await findSequentialScans(cluster, big.database, queries);
  if (plans < queries.length) throw new Error(`only ${plans} plans were logged`);
  if (scans.length > 0) throw new Error(`plans scan whole tables:\n${[...new Set(scans)].slice(0, 10).join("\n")}`);
  console.error(`${plans} plans, none of them scans a whole table`);

  const samples = await measureSearches({ cluster, big, small, rounds, signal });
  const deep = await measureDepth({ cluster, big, rounds, signal });
  const dir = join(import.meta.dirname, "../.data/bench/search");
  const imports = await compareImports(cluster, { full: big, empty, dir, signal });
  console.log(toSearchTable(samples));
  console.log(
    `Page 2,000 takes ${deep.toFixed(2)}x as long as page 1. Imports run at ${imports.toFixed(2)}x the rate of an empty database.`,
  );
  const figures = { ...toFigures(samples), deep_page: deep, import_ratio: imports };
  if (values.json) console.log(JSON.stringify(rounded(figures)));
  return 0;
}

const rounded = (figures: Record<string, number>) =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toPrecision(3))]));
