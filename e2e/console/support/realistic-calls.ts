import type { TestWorkspace } from "../../support/stack/stack.ts";

const firstNames = ["Ann", "Zoé", "Karim", "Lucía", "Tom", "Inès", "Marek", "Fatou", "Jonas", "Mei"];
const lastNames = ["Lee", "Martin", "Benali", "Ortega", "Novak", "Dubois", "Kowalski", "Diallo", "Berg", "Chen"];
const campaigns = [
  ["support-fr", "Support"],
  ["sales-fr", "Sales France"],
  ["sales-de", "Sales Germany"],
  ["retention", "Retention"],
  ["billing", "Billing questions"],
  ["winback", "Win-back spring"],
] as const;
export const sites = ["Lyon", "Lille", "Paris", "Nantes", "Toulouse"] as const;

export interface SeededAgent {
  readonly id: string;
  readonly name: string;
}

/**
 * Inserts calls of 100 agents in six campaigns into the database, the newest a few minutes old. Everything but the time
 * is derived from the call's number.
 */
export async function addRealisticCalls(
  stack: TestWorkspace,
  count: number,
  { days = 60 } = {},
): Promise<SeededAgent[]> {
  const { adminDb, workspaceId } = stack;
  for (const [id, name] of campaigns) {
    const values = [workspaceId, id, name];
    await adminDb.query(
      "insert into campaign (workspace_id, id, name) values ($1, $2, $3) on conflict do nothing",
      values,
    );
  }
  const agents = firstNames.flatMap((first, a) =>
    lastNames.map((last, b) => ({
      id: `0a000000-0000-4000-8000-${String(1000 + a * 10 + b).padStart(12, "0")}`,
      name: `${first} ${last}`,
    })),
  );
  await adminDb.query(
    `insert into app_user (workspace_id, id, email, email_key, name, role, status, invitation)
     select $1, id, 'agent-' || n || '@example.com', 'agent-' || n || '@example.com', name, 'agent', 'active', 'not_requested'
     from unnest($2::uuid[], $3::text[]) with ordinality as agent (id, name, n)
     on conflict do nothing`,
    [workspaceId, agents.map(({ id }) => id), agents.map(({ name }) => name)],
  );
  for (let month = 0; month <= days / 28 + 1; month++) {
    await adminDb.query("select add_call_month(now() - $1::int * interval '1 month')", [month]);
  }
  const batch = 50_000;
  for (let from = 0; from < count; from += batch) {
    const numbers = [from + 1, Math.min(from + batch, count)];
    await adminDb.query(insertCalls, [
      ...[workspaceId, ...numbers, count, days, agents.map(({ id }) => id), campaigns.map(([id]) => id), sites],
    ]);
  }
  await adminDb.query("analyze call, call_metadata");
  return agents;
}

const insertCalls = `
  with numbered as (
    select n, now() - interval '5 minutes' - (n - 1) * ($5::int * interval '1 day' / $4::int) as happened_at,
      hashint8extended(n, 1) & 9223372036854775807 as chance,
      hashint8extended(n, 2) & 9223372036854775807 as other_chance
    from generate_series($2::int, $3::int) as n
  ), drawn as (
    select *, date_trunc('second', happened_at) as at,
      (5000 - 240000 * ln(1 - (chance % 100003)::float8 / 100004))::bigint as duration_ms,
      case when other_chance % 1000 < 12 then 'failed' when other_chance % 1000 < 16 then 'received' else 'ready' end as status
    from numbered
  ), made as (
    insert into call (workspace_id, id, campaign_id, agent_id, happened_at, status, failure_code, failure_detail, metadata,
      recording_key, recording_bytes, sha256, format, codec, channels, sample_rate, duration_ms, created_at, imported_on)
    select $1, (left(first_call_id(at)::text, 13) || '-8' || substr(md5(n::text), 1, 3) || '-8'
        || substr(md5(n::text), 4, 3) || '-' || substr(md5(n::text), 7, 12))::uuid,
      ($7::text[])[1 + other_chance / 7 % array_length($7::text[], 1)],
      ($6::uuid[])[1 + chance / 11 % array_length($6::uuid[], 1)], at, status,
      case when status = 'failed' then 'recording_undecodable' end,
      case when status = 'failed' then 'The recording cannot be decoded.' end,
      jsonb_build_array(
        jsonb_build_object('key', 'client_phone', 'value', '+336' || lpad(n::text, 8, '0')),
        jsonb_build_object('key', 'customer', 'value', 'C-' || n % 199999),
        jsonb_build_object('key', 'site', 'value', ($8::text[])[1 + other_chance / 1009 % array_length($8::text[], 1)]),
        jsonb_build_object('key', 'direction', 'value', case when chance % 3 = 0 then 'outbound' else 'inbound' end)),
      'recordings/none', duration_ms * 16, sha256(n::text::bytea), 'wav',
      case when status = 'ready' then 'pcm_mulaw' end, case when status = 'ready' then 2 end,
      case when status = 'ready' then 8000 end, case when status = 'ready' then duration_ms end,
      at + interval '3 minutes', ((at + interval '3 minutes') at time zone 'UTC')::date
    from drawn
    returning id, metadata
  )
  insert into call_metadata (workspace_id, key, value, call_id)
  select $1, entry.key, entry.value, id from made, jsonb_to_recordset(metadata) as entry (key text, value text)`;
