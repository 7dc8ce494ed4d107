import pg from "pg";
import { type SearchCase, searchCases } from "./search-cases.ts";
import { type Cluster, withAdmin } from "./search-cluster.ts";
import { campaignId, searched } from "./search-data.ts";
import type { SearchService } from "./search-service.ts";

/** Milliseconds of each round, in a large and a small database. */
export interface Samples {
  readonly keyReads: Pair;
  readonly searches: ReadonlyMap<SearchCase, Pair>;
}

interface Pair {
  readonly big: number[];
  readonly small: number[];
}

interface Plan {
  readonly cluster: Cluster;
  readonly big: SearchService;
  readonly small: SearchService;
  readonly rounds: number;
  readonly signal: AbortSignal;
}

const warmUpRounds = 12;

/** Alternates between all searches and the reads by key, in both databases, so that other load affects all equally. */
export async function measureSearches({ cluster, big, small, rounds, signal }: Plan): Promise<Samples> {
  await using cleanup = new AsyncDisposableStack();
  const readers = [await openKeyReader(cluster, big, cleanup), await openKeyReader(cluster, small, cleanup)] as const;
  const keyReads: Pair = { big: [], small: [] };
  const searches = new Map(searchCases.map((searchCase) => [searchCase, { big: [], small: [] } as Pair]));
  for (let round = -warmUpRounds; round < rounds; round++) {
    signal.throwIfAborted();
    const turn = round + warmUpRounds;
    const add = (samples: number[], ms: number) => (round >= 0 ? samples.push(ms) : 0);
    add(keyReads.big, await readers[0](turn));
    add(keyReads.small, await readers[1](turn));
    for (const [{ query }, pair] of searches) {
      add(pair.big, (await big.search(query(turn, big.database.end))).ms);
      add(pair.small, (await small.search(query(turn, small.database.end))).ms);
    }
    if ((round + 1) % 50 === 0 && round > 0) console.error(`searches, round ${round + 1} of ${rounds}`);
  }
  return { keyReads, searches };
}

/** Reads 50 calls by primary key, as the service's role and in a similar transaction. Returns the milliseconds. */
export async function openKeyReader(cluster: Cluster, { database }: SearchService, cleanup: AsyncDisposableStack) {
  const batches = 20;
  // A sample of every month.
  const { rows } = await withAdmin(cluster.adminUrl(database.name), (admin) =>
    admin.query<{ id: string }>(
      `select spread.id from unnest($2::uuid[]) as month (start) cross join lateral (
        select id from call where workspace_id = $1 and id >= month.start order by id limit 30
      ) as spread`,
      [searched.workspaceId, monthStarts(database.end)],
    ),
  );
  const ids = rows.map(({ id }) => id);
  const service = new pg.Client({ connectionString: cluster.env(database.name).DATABASE_URL });
  await service.connect();
  cleanup.defer(() => service.end());
  return async (turn: number): Promise<number> => {
    const step = 7 + (turn % batches);
    const wanted = Array.from({ length: 50 }, (_, index) => ids[(index * step * 3 + turn) % ids.length]);
    const start = performance.now();
    await service.query(
      `begin; select set_config('hearback.workspace', '${searched.workspaceId}', true),
        set_config('plan_cache_mode', 'force_generic_plan', true)`,
    );
    const { rows } = await service.query({
      name: "by-key",
      // Planned once, with one index lookup per call: the cheapest possible query.
      text: `select call.* from unnest($2::uuid[]) as wanted (id) cross join lateral (
        select * from call where workspace_id = $1::uuid and id = wanted.id limit 1) as call`,
      values: [searched.workspaceId, wanted],
    });
    await service.query("commit");
    const ms = performance.now() - start;
    if (rows.length !== 50) throw new Error(`${rows.length} of 50 calls were read`);
    return ms;
  };
}

function monthStarts(end: Date): string[] {
  return Array.from({ length: 36 }, (_, back) => {
    const hex = Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1 - back, 10, back)
      .toString(16)
      .padStart(12, "0");
    return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
  });
}

const deepPage = 2_000;

/** p95 of page 2,000 relative to page 1, for all calls and for one campaign; returns the worse ratio. */
export async function measureDepth({ cluster, big, rounds, signal }: Omit<Plan, "small">): Promise<number> {
  const ratios: number[] = [];
  for (const [filter, condition] of [
    ["", ""],
    [`campaign=${campaignId(3)}`, `and campaign_id = '${campaignId(3)}'`],
  ]) {
    const offset = Math.min(deepPage * 50, Math.floor(big.database.calls / 50));
    const { rows } = await withAdmin(cluster.adminUrl(big.database.name), (admin) =>
      admin.query<{ id: string }>(
        `select id from call where workspace_id = $1 ${condition} order by id desc offset $2 limit 1`,
        [searched.workspaceId, offset],
      ),
    );
    const pages: { first: number[]; deep: number[] } = { first: [], deep: [] };
    for (let round = -warmUpRounds; round < rounds; round++) {
      signal.throwIfAborted();
      const first = await big.search(`${filter}`);
      const deep = await big.search(`${filter}&cursor=${rows[0]?.id}`);
      if (round < 0) continue;
      pages.first.push(first.ms);
      pages.deep.push(deep.ms);
    }
    ratios.push(percentile(pages.deep, 0.95) / percentile(pages.first, 0.95));
  }
  return Math.max(...ratios);
}

export const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
