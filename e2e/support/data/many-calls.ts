import type { Stack } from "../stack/stack.ts";

/** Inserts calls directly into the database, in the months before May 2024. */
export async function addCalls(stack: Stack, count: number, { months = 1 } = {}): Promise<void> {
  const { adminDb, workspaceId, campaignId } = stack;
  const end = "timestamptz '2024-05-01T00:00:00Z'";
  for (let month = 0; month <= months; month++) {
    await adminDb.query(`select add_call_month(${end} - interval '1 second' - interval '${month} month')`);
  }
  const batch = 50_000;
  for (let from = 0; from < count; from += batch) {
    await adminDb.query(
      `with made as (
         select n, ${end} - n * (interval '${months} month' / ${count + 1}) as at from generate_series($3::int, $4::int) as n
       )
       insert into call (workspace_id, id, campaign_id, agent_id, happened_at, status, metadata, recording_key,
         recording_bytes, sha256, format, codec, channels, sample_rate, duration_ms, created_at)
       select $1, (left(first_call_id(at)::text, 13) || '-8' || substr(md5(n::text), 1, 3) || '-8'
           || substr(md5(n::text), 4, 3) || '-' || substr(md5(n::text), 7, 12))::uuid,
         $2, (select id from app_user where workspace_id = $1 limit 1), at, 'ready',
         jsonb_build_array(
           jsonb_build_object('key', 'client_phone', 'value', '+331' || lpad(n::text, 8, '0')),
           jsonb_build_object('key', 'call_direction', 'value', 'inbound'),
           jsonb_build_object('key', 'note', 'value', repeat('Ring back on Monday. ', 10))),
         'recordings/none', 1000000, sha256(n::text::bytea), 'wav', 'pcm_mulaw', 2, 8000, 300000, at
       from made`,
      [workspaceId, campaignId, from + 1, Math.min(from + batch, count)],
    );
  }
}
