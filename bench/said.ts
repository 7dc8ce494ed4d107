import { parseArgs } from "node:util";
import pg from "pg";
import { foreignWord, saidData } from "./support/said-data.ts";
import { type Cluster, type LoadedDatabase, openCluster, withAdmin } from "./support/search/search-cluster.ts";
import { campaignId, searched } from "./support/search/search-data.ts";
import { openKeyReader, percentile } from "./support/search/search-measure.ts";
import { type SearchService, startService } from "./support/search/search-service.ts";

const usage = `npm run bench -- said [--json] [--calls N] [--rounds N] [--rebuild] [--dir DIR]

The first page of GET /calls?said=… over HTTP, compared with reading 50 calls by primary key as the service's role: 5 million
calls with 300 words each, a tenth of them in the searched workspace; and a database of a tenth of the size. Prints the sizes
of the index and what indexing a call costs. Fails if words of another workspace are found.

  --json     also print the results as JSON, in the last line
  --calls    number of calls instead of 5 million; at least 20,000
  --rounds   repetitions of each search; default 100
  --rebuild  recreate the data, which is otherwise reused: about 30 GB
  --dir      location of the data; default /var/tmp/hearback-bench-said`;

interface SaidCase {
  readonly name: string;
  readonly said: string;
  readonly more?: (turn: number) => string;
}

const inCampaign = (turn: number) => `&campaign=${campaignId(turn % 5)}`;
const cases: readonly SaidCase[] = [
  { name: "a rare phrase (2 calls of 5,000)", said: '"cancel my contract"' },
  { name: "a rare phrase of the customer", said: '"cancel my contract"', more: () => "&said_by=right" },
  { name: "a frequent word (19 of 20 calls)", said: "hello" },
  { name: "two frequent words", said: "hello contract" },
  { name: "a word of 1 call of 33", said: "invoice" },
  { name: "a word of 1 call of 33, a campaign of 20", said: "invoice", more: inCampaign },
  { name: "a frequent word, a campaign of 20", said: "hello", more: inCampaign },
  { name: "a rare phrase, a campaign of 20", said: '"cancel my contract"', more: inCampaign },
  { name: "a phrase that occurs nowhere", said: '"contract cancel invoice"' },
  { name: "a phrase of frequent words that occurs nowhere", said: '"my contract my contract hello"' },
  { name: "a word that occurs nowhere", said: "tomato" },
];

/** Measures searches by what was said. Returns the exit code. */
export async function benchSaid(args: string[], signal: AbortSignal): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean" },
      calls: { type: "string", default: "5000000" },
      rounds: { type: "string", default: "100" },
      rebuild: { type: "boolean", default: false },
      dir: { type: "string", default: "/var/tmp/hearback-bench-said" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [calls, rounds] = [Number(values.calls), Number(values.rounds)];
  if (values.help || !Number.isInteger(calls) || calls < 20_000 || !Number.isInteger(rounds) || rounds < 1) {
    console.error(usage);
    return values.help ? 0 : 2;
  }
  await using cleanup = new AsyncDisposableStack();
  const cluster = await openCluster(values.dir, cleanup, saidData);
  const options = { rebuild: values.rebuild, signal };
  const small = await cluster.database(Math.ceil(calls / 10), options);
  const big = await cluster.database(calls, options);
  const measured = [];
  for (const database of [small, big]) measured.push(await measure(cluster, database, { rounds, signal, cleanup }));
  const [few, many] = measured;
  if (!few || !many) throw new Error("expected two databases");
  console.log(toTable(few, many));
  const sizes = await readSizes(cluster, big);
  const perCall = await measureIndexing(cluster, big);
  console.log(
    `${calls.toLocaleString("en")} calls: index ${sizes.index}, words ${sizes.words}, calls ${sizes.calls}; ${sizes.perCall} bytes of index per call. Indexing a call takes ${perCall.toFixed(1)} ms.\n`,
  );
  if (values.json) {
    const ratios = Object.fromEntries(many.rows.map(({ name, ratio }) => [name, Number(ratio.toPrecision(3))]));
    console.log(JSON.stringify({ ...ratios, index_bytes_per_call: sizes.perCall, index_ms: perCall }));
  }
  return 0;
}

interface Row {
  readonly name: string;
  readonly p50: number;
  readonly p95: number;
  readonly ratio: number;
  readonly medianRatio: number;
  readonly page: string;
}

interface Measured {
  readonly key: { readonly p50: number; readonly p95: number };
  readonly rows: readonly Row[];
}

interface Options {
  readonly rounds: number;
  readonly signal: AbortSignal;
  readonly cleanup: AsyncDisposableStack;
}

const warmUpRounds = 8;

async function measure(cluster: Cluster, database: LoadedDatabase, options: Options): Promise<Measured> {
  const { rounds, signal, cleanup } = options;
  const service = await startService(cluster, database, cleanup);
  await requireIsolation(service);
  const readByKey = await openKeyReader(cluster, service, cleanup);
  const key: number[] = [];
  const samples = new Map<SaidCase, { ms: number[]; page: string }>(cases.map((one) => [one, { ms: [], page: "" }]));
  for (let round = -warmUpRounds; round < rounds; round++) {
    signal.throwIfAborted();
    const turn = round + warmUpRounds;
    const ms = await readByKey(turn);
    if (round >= 0) key.push(ms);
    for (const [{ said, more }, sample] of samples) {
      const found = await service.search(`said=${encodeURIComponent(said)}${more?.(turn) ?? ""}`);
      const { calls, searched_to } = found.page;
      sample.page = `${calls.length}${searched_to ? `, searched to ${searched_to.slice(0, 10)}` : ""}`;
      if (round >= 0) sample.ms.push(found.ms);
    }
  }
  const [p50, p95] = [percentile(key, 0.5), percentile(key, 0.95)];
  const rows = [...samples].map(([{ name }, { ms, page }]) => ({
    name,
    page,
    p50: percentile(ms, 0.5),
    p95: percentile(ms, 0.95),
    ratio: percentile(ms, 0.95) / p95,
    medianRatio: percentile(ms, 0.5) / p50,
  }));
  return { key: { p50, p95 }, rows };
}

/** A word of other workspaces is not found, although it is frequent there. */
async function requireIsolation(service: SearchService): Promise<void> {
  const { page } = await service.search(`said=${foreignWord}`);
  if (page.calls.length > 0 || page.next !== null) throw new Error("words of another workspace are found");
}

function toTable(few: Measured, many: Measured): string {
  const lines = many.rows.map((row, index) => {
    const before = few.rows[index];
    const numbers = [row.p50, row.medianRatio, row.p95, row.ratio, row.p50 / (before?.p50 ?? row.p50)];
    return [row.name, ...numbers.map((value) => value.toFixed(2)), row.page];
  });
  const keys = ["50 calls by key", many.key.p50, 1, many.key.p95, 1, many.key.p50 / few.key.p50];
  const head = ["first page of", "median ms", "ratio", "p95 ms", "ratio", "of a tenth", "calls"];
  const table = [
    head,
    [...keys.map((value) => (typeof value === "number" ? value.toFixed(2) : value)), "50"],
    ...lines,
  ];
  const widths = head.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  return `\n${table.map((line) => line.map((cell, n) => (n === 0 || n === 6 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join("  ")).join("\n")}\n`;
}

async function readSizes(cluster: Cluster, { name, calls }: LoadedDatabase) {
  const { rows } = await withAdmin(cluster.adminUrl(name), (admin) =>
    admin.query<{ index: string; words: string; calls: string; bytes: string }>(`
      select pg_size_pretty(sum(gin)) as index, pg_size_pretty(sum(pg_table_size(relid))) as words,
        (select pg_size_pretty(sum(pg_total_relation_size(relid))) from pg_partition_tree('call')) as calls, sum(gin)::text as bytes
      from pg_partition_tree('call_words'), lateral (
        select coalesce(sum(pg_relation_size(indexrelid)), 0) as gin from pg_index join pg_class on pg_class.oid = indexrelid
        where indrelid = relid and relam = (select oid from pg_am where amname = 'gin')
      ) as indexes`),
  );
  const [found] = rows;
  if (!found) throw new Error("no sizes");
  return { ...found, perCall: Math.round(Number(found.bytes) / calls) };
}

/** Milliseconds that indexing one call takes as the service's role, with the commit: the words of another call once more. */
async function measureIndexing(cluster: Cluster, database: LoadedDatabase): Promise<number> {
  const { rows } = await withAdmin(cluster.adminUrl(database.name), (admin) =>
    admin.query<{ id: string; left: string; right: string }>(
      `select call_id as id, (select string_agg(lexeme, ' ') from unnest(side.words)) as left, 'and this is the other side' as right
        from call_words as side where workspace_id = $1 and channel = 'left' order by call_id desc limit 200`,
      [searched.workspaceId],
    ),
  );
  const service = new pg.Client({ connectionString: cluster.env(database.name).DATABASE_URL });
  await service.connect();
  const samples: number[] = [];
  for (const { id, left } of rows) {
    const start = performance.now();
    await service.query(`begin; select set_config('hearback.workspace', '${searched.workspaceId}', true)`);
    // The two sides replace each other, so that both are written.
    await service.query("delete from call_words where workspace_id = $1 and call_id = $2", [searched.workspaceId, id]);
    await service.query(
      `insert into call_words (workspace_id, call_id, channel, part, words)
        select $1, $2, side, 0, to_tsvector('said_en', $3) from unnest(array['left', 'right']) as side`,
      [searched.workspaceId, id, left],
    );
    await service.query("commit");
    samples.push(performance.now() - start);
  }
  await service.end();
  return percentile(samples, 0.5);
}
