import type pg from "pg";
import { type GeneratedData, loadMonths } from "./search/search-cluster.ts";
import { type Month, searched, workspaces } from "./search/search-data.ts";

/**
 * Different sides. Each call gets two of them, because making the text of each call takes hours.
 */
const differentSides = 100_000;
/** A tenth of all calls are in the searched workspace. */
const shareOfWorkspace = 10;
const vocabulary = 20_000;
const wordsOfSide = 150;

/**
 * Real words at some places of the vocabulary. Word k is every (k × ln 20,000)th word, roughly as in a language: the 10th is
 * said by 3 of 4 sides, the 100th by 1 of 7, the 1,000th by 1 of 70.
 */
const known: Readonly<Record<number, string>> = {
  5: "my",
  10: "hello",
  100: "contract",
  300: "cancel",
  1000: "invoice",
  3000: "refund",
};
/** Said by one side of 5,000. */
const planted = "cancel my contract";
/** Said by one side of 50 in the other workspaces only. */
export const foreignWord = "zanzibar";

async function createVocabulary(admin: pg.ClientBase): Promise<void> {
  await admin.query(`create table if not exists bench_vocabulary as
    select n, (
      select string_agg((array['ba','ko','li','mu','ne','po','ra','su','ti','vo','da','fe','gi','ho','ju','ka'])
        [1 + (n * 7919 / (16 ^ place)::integer) % 16], '') from generate_series(0, 3) as place
    ) || case when n % 3 = 0 then 'n' else '' end as word
    from generate_series(1, ${vocabulary}) as n`);
  for (const [n, word] of Object.entries(known))
    await admin.query("update bench_vocabulary set word = $2 where n = $1", [n, word]);
}

/** Sides of 150 words. */
async function createSides(admin: pg.ClientBase): Promise<void> {
  const { rows } = await admin.query<{ exists: boolean }>("select to_regclass('bench_side') is not null as exists");
  if (rows[0]?.exists) return;
  await admin.query("select setseed(0.5)");
  await admin.query(`create table bench_side as
    select n, to_tsvector('said_en', text) as words
    from generate_series(0, ${differentSides - 1}) as n, (select array_agg(word order by n) as words from bench_vocabulary) as known,
      lateral (
        select string_agg(known.words[power(${vocabulary}, random() + 0 * place)::integer], ' ')
          || case when random() < 0.0002 then ' ${planted}' else '' end as text
        from generate_series(1, ${wordsOfSide}) as place where n is not null
      ) as spoken`);
  await admin.query("alter table bench_side add primary key (n)");
}

/** One month of calls with the words of both sides. The index of words is built at the end: sorted, many times as fast. */
async function insertMonth(admin: pg.Client, month: Month): Promise<void> {
  const suffix = month.start.toISOString().slice(0, 7).replace("-", "_");
  const bounds = await admin.query<{ bound: string }>(
    "select pg_get_expr(relpartbound, oid) as bound from pg_class where relname = $1",
    [`call_words_${suffix}`],
  );
  await admin.query(`alter table call_words detach partition call_words_${suffix}`);
  await admin.query("begin");
  await admin.query("set local session_replication_role = replica");
  await admin.query(`truncate call_words_${suffix}`);
  await admin.query(`drop index call_words_${suffix}_places_said_index_idx`);
  await admin.query(
    `insert into call_${suffix} (workspace_id, id, campaign_id, agent_id, happened_at, status, metadata, recording_key,
        recording_bytes, sha256, format, codec, channels, sample_rate, duration_ms, created_at, imported_on)
      select ($5::uuid[])[case when n % ${shareOfWorkspace} = 0 then 1 else 2 + n % 2 end],
        (lpad(to_hex((extract(epoch from happened_at) * 1000)::bigint), 12, '0') || '8'
          || substr(lpad(to_hex(chance), 16, '0'), 1, 3) || '8' || substr(lpad(to_hex(chance), 16, '0'), 2, 15))::uuid,
        'campaign-' || chance % ${searched.campaigns},
        ('0a000000-0000-4000-8000-' || lpad((1000 + chance / 97 % ${searched.agents})::text, 12, '0'))::uuid, happened_at,
        'ready', '[]', 'recordings/' || n, 1, decode(lpad(to_hex(chance), 64, '0'), 'hex'), 'wav', 'pcm_mulaw', 2, 8000,
        300000, happened_at + interval '10 minutes', (happened_at at time zone 'UTC')::date
      from (
        select n, $2::timestamptz + ($3::timestamptz - $2::timestamptz) * ((n - 1)::float8 / $4) as happened_at,
          hashint8extended(n, $1 + 1000) & 9223372036854775807 as chance
        from generate_series(1, $4::integer) as n
      ) as numbered`,
    [month.index, month.start, month.end, month.calls, workspaces],
  );
  await admin.query(
    `insert into call_words_${suffix} (workspace_id, call_id, channel, part, words)
      select workspace_id, id, side, 0,
        case when workspace_id <> $1 and chance % 50 = 0 then words || '${foreignWord}:999'::tsvector else words end
      from (
        select workspace_id, id, side, hashtextextended(id::text || side, 0) & 9223372036854775807 as chance
        from call_${suffix}, unnest(array['left', 'right']) as side
      ) as spoken join bench_side on n = chance / 50 % ${differentSides}
      order by id`,
    [searched.workspaceId],
  );
  await admin.query(
    `create index on call_words_${suffix} using gin (places, said_index(words)) with (fastupdate = off)`,
  );
  await admin.query(`alter table call_words attach partition call_words_${suffix} ${bounds.rows[0]?.bound}`);
  await admin.query(
    "insert into words_language select distinct workspace_id, 'en' from call_words_" +
      suffix +
      " on conflict do nothing",
  );
  await admin.query("commit");
  await admin.query(`vacuum (analyze, freeze) call_${suffix}, call_words_${suffix}`);
}

export const saidData: GeneratedData = {
  version: 2,
  async load(url, plan) {
    await loadMonths(url, plan, async (admin, month) => {
      await admin.query("select pg_advisory_lock(1)");
      await createVocabulary(admin);
      await createSides(admin);
      await admin.query("select pg_advisory_unlock(1)");
      await insertMonth(admin, month);
    });
  },
};
