import type { ErasurePreviewBody } from "@hearback/contract";
import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { lowestUuid } from "../platform/is-uuid.ts";
import { type Concern, concernedCalls } from "./concerned-calls.ts";
import { isHeld } from "./held.ts";

interface Row {
  readonly campaignId: string;
  readonly calls: number;
  readonly held: number;
  readonly bytes: number;
  readonly first: Date;
  readonly last: Date;
}

const total = (rows: readonly Row[], column: "calls" | "held" | "bytes") =>
  rows.reduce((sum, row) => sum + row[column], 0);

/** What an erasure would find and do now. Nothing is written, and nothing is remembered. */
export async function previewErasure(tx: Db, concern: Concern): Promise<ErasurePreviewBody> {
  const { rows } = await sql<Row>`
    select campaign_id, count(*) as calls, count(*) filter (where held) as held,
      coalesce(sum(recording_bytes) filter (where not held), 0)::bigint as bytes,
      min(happened_at) as first, max(happened_at) as last
    from (
      select call.campaign_id, call.recording_bytes, call.happened_at, ${isHeld} as held
      from ${concernedCalls(concern, lowestUuid)}
    ) as found
    group by campaign_id order by campaign_id`.execute(tx);
  const times = rows.flatMap(({ first, last }) => [first.getTime(), last.getTime()]);
  const time = (ms: number) => (times.length > 0 ? new Date(ms).toISOString() : null);
  return {
    calls: total(rows, "calls"),
    held: total(rows, "held"),
    bytes: total(rows, "bytes"),
    first_conversation: time(Math.min(...times)),
    last_conversation: time(Math.max(...times)),
    campaigns: rows.map(({ campaignId, calls, held }) => ({ campaign_id: campaignId, calls, held })),
  };
}
