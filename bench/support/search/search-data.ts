import type pg from "pg";

/** A phone number with exactly this many calls in the searched workspace, across all months. */
export const frequentCaller = { key: "client_phone", value: "+33199000120", calls: 120 } as const;

export const searched = {
  workspaceId: "0a000000-0000-4000-8000-000000000001",
  /** A tenth of the calls of every month. */
  site: "site-3",
  agents: 200,
  campaigns: 20,
} as const;

const otherWorkspaces = ["0a000000-0000-4000-8000-000000000002", "0a000000-0000-4000-8000-000000000003"];
export const workspaces = [searched.workspaceId, ...otherWorkspaces];

export const agentEmail = (agent: number) => `agent-${agent}@example.com`;
export const campaignId = (campaign: number) => `campaign-${campaign}`;

export const monthCount = 36;

/** Inserts workspaces with the same campaigns and agents. */
export async function insertWorkspaces(admin: pg.ClientBase): Promise<void> {
  await admin.query("insert into workspace (id, name) select id, 'Bench' from unnest($1::uuid[]) as id", [workspaces]);
  await admin.query(
    `insert into campaign (workspace_id, id, name)
      select workspace, 'campaign-' || n, 'Campaign ' || n
      from unnest($1::uuid[]) as workspace, generate_series(0, $2::int - 1) as n`,
    [workspaces, searched.campaigns],
  );
  await admin.query(
    `insert into app_user (workspace_id, id, email, email_key, name, role, status, invitation)
      select workspace, ('0a000000-0000-4000-8000-' || lpad((1000 + n)::text, 12, '0'))::uuid,
        'agent-' || n || '@example.com', 'agent-' || n || '@example.com', 'Agent ' || n, 'agent', 'active', 'not_requested'
      from unnest($1::uuid[]) as workspace, generate_series(0, $2::int - 1) as n`,
    [workspaces, searched.agents],
  );
}

export interface Month {
  /** 0 is the oldest. */
  readonly index: number;
  readonly start: Date;
  readonly end: Date;
  /** Across all workspaces; five of six calls belong to the searched one. */
  readonly calls: number;
}

const suffixOf = ({ start }: Month) => start.toISOString().slice(0, 7).replace("-", "_");

/**
 * Inserts one month of calls, in order of time, with their metadata. All values derive from the number of the call, so
 * every load is identical. The first six months are imported late, during the first three days of the seventh.
 */
export async function insertMonth(admin: pg.ClientBase, month: Month): Promise<void> {
  const suffix = suffixOf(month);
  await admin.query("begin");
  // Rewriting the empty tables makes them new in this transaction, so that nothing is logged with wal_level = minimal.
  for (const table of [`call_${suffix}`, `call_metadata_${suffix}`]) {
    await admin.query(`cluster ${table} using ${table}_pkey`);
  }
  await admin.query("set local session_replication_role = replica");
  await admin.query(callsOf(suffix), [
    ...[month.index, month.start, month.end, month.calls, workspaces, searched.agents, searched.campaigns],
    ...[
      frequentCaller.value,
      new Date(Date.UTC(month.start.getUTCFullYear(), month.start.getUTCMonth() + 6 - month.index)),
    ],
  ]);
  await admin.query(`
    insert into call_metadata_${suffix} (workspace_id, key, value, call_id)
    select workspace_id, entry.key, entry.value, id
    from call_${suffix}, jsonb_to_recordset(metadata) as entry (key text, value text)
    order by workspace_id, entry.key, entry.value, id`);
  await admin.query("commit");
  await admin.query(`vacuum (analyze, freeze) call_${suffix}, call_metadata_${suffix}`);
}

const callsOf = (suffix: string) => `
  insert into call_${suffix} (
    workspace_id, id, campaign_id, agent_id, happened_at, status, failure_code, failure_detail, metadata, recording_key,
    recording_bytes, sha256, format, codec, channels, sample_rate, duration_ms, created_at, imported_on,
    playback_key, playback_bytes, drawing_key, waveform_bytes, drawing_bytes
  )
  select workspace_id, id, 'campaign-' || campaign, ('0a000000-0000-4000-8000-' || lpad((1000 + agent)::text, 12, '0'))::uuid,
    happened_at, status, case when status = 'failed' then 'recording_undecodable' end,
    case when status = 'failed' then 'The recording cannot be decoded.' end,
    jsonb_build_array(
      jsonb_build_object('key', 'client_phone', 'value', phone),
      jsonb_build_object('key', 'customer', 'value', 'C-' || number % 199999),
      jsonb_build_object('key', 'site', 'value', 'site-' || chance_3 % 10),
      jsonb_build_object('key', 'queue', 'value', 'queue-' || chance_4 % 50),
      jsonb_build_object('key', 'call_direction', 'value', case when chance_4 % 3 = 0 then 'outbound' else 'inbound' end)
    ),
    'recordings/' || id, duration_ms * 16, decode(lpad(to_hex(chance_1) || to_hex(chance_2), 64, '0'), 'hex'),
    'wav', 'pcm_mulaw', 2, 8000, duration_ms, created_at, (created_at at time zone 'UTC')::date,
    case when status = 'ready' then 'playback/' || id end, duration_ms * 6,
    case when status = 'ready' then 'drawing/' || id end, duration_ms / 10, duration_ms / 9
  from (
    select *, case when $1 < 6 then $9::timestamptz + interval '3 days' * ((chance_2 % 1000)::float8 / 1000)
        else happened_at + (duration_ms + 60000 + chance_2 % 600000) * interval '1 ms' end as created_at,
      (agent + case when chance_3 % 4 = 0 then 7 when chance_3 % 4 = 1 then 13 else 0 end) % $7::int as campaign
    from (
      select *,
        (lpad(to_hex((extract(epoch from happened_at) * 1000)::bigint), 12, '0') || '8' || substr(lpad(to_hex(chance_1), 16, '0'), 1, 3)
          || '8' || substr(lpad(to_hex(chance_2), 16, '0'), 1, 15))::uuid as id,
        (1000 - 240000 * ln(1 - (chance_1 % 1000003)::float8 / 1000004))::bigint as duration_ms,
        chance_1 % $6::int as agent,
        case when chance_2 % 1000 < 10 then 'failed' when chance_2 % 1000 = 10 then 'received' else 'ready' end as status,
        case when n in (1, 601, 1201) or n = 1801 and $1 < 12 then $8 else '+336' || lpad(number::text, 8, '0') end as phone
      from (
        select n, n + $1::bigint * 1000000 as number,
          ($5::uuid[])[case when n % 6 <> 0 then 1 when n % 12 = 0 then 2 else 3 end] as workspace_id,
          date_trunc('second', $2::timestamptz + ($3::timestamptz - $2::timestamptz) * ((n - 1)::float8 / $4)) as happened_at,
          hashint8extended(n, $1 + 1000) & 9223372036854775807 as chance_1,
          hashint8extended(n, $1 + 2000) & 9223372036854775807 as chance_2,
          hashint8extended(n, $1 + 3000) & 9223372036854775807 as chance_3,
          hashint8extended(n, $1 + 4000) & 9223372036854775807 as chance_4
        from generate_series(1, $4::int) as n
      ) as numbered
    ) as drawn
  ) as timed`;
