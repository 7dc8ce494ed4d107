import type { ErasurePreviewBody } from "@hearback/contract";
import { sql } from "kysely";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { lowestUuid } from "../platform/is-uuid.ts";
import { callsInScope, type ErasureScope, nextIds } from "./calls-in-scope.ts";
import { isHeld } from "./holds/legal-holds-sql.ts";

interface Row {
  readonly campaignId: string;
  readonly calls: number;
  readonly held: number;
  readonly bytes: number;
  readonly first: Date;
  readonly last: Date;
}

/** Calls counted per statement, each in its own transaction. */
const pageSize = 2_000;

export interface PreviewOptions {
  /** Time (ms since the epoch) at which counting stops. Default: never. */
  readonly deadline?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Counts what an erasure would erase now. Writes nothing. */
export async function previewErasure(
  app: App,
  scope: ErasureScope,
  { deadline = Number.POSITIVE_INFINITY, signal }: PreviewOptions = {},
): Promise<ErasurePreviewBody> {
  const campaigns = new Map<string, { campaign_id: string; calls: number; held: number }>();
  let [bytes, first, last] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let complete = true;
  for (let after: string | undefined = lowestUuid; after !== undefined; ) {
    signal?.throwIfAborted();
    const page: Page = await inWorkspace(app, scope.workspaceId, (tx) => countPage(tx, scope, after ?? lowestUuid));
    for (const row of page.rows) {
      const known = campaigns.get(row.campaignId) ?? { campaign_id: row.campaignId, calls: 0, held: 0 };
      known.calls += row.calls;
      known.held += row.held;
      campaigns.set(row.campaignId, known);
      bytes += row.bytes;
      first = Math.min(first, row.first.getTime());
      last = Math.max(last, row.last.getTime());
    }
    after = page.last;
    if (after !== undefined && Date.now() > deadline) {
      complete = false;
      break;
    }
  }
  const found = [...campaigns.values()].sort((a, b) => (a.campaign_id < b.campaign_id ? -1 : 1));
  const total = (count: "calls" | "held") => found.reduce((sum, campaign) => sum + campaign[count], 0);
  const time = (ms: number) => (found.length > 0 ? new Date(ms).toISOString() : null);
  return {
    complete,
    calls: total("calls"),
    held: total("held"),
    bytes,
    first_conversation: time(first),
    last_conversation: time(last),
    campaigns: found,
  };
}

interface Page {
  readonly rows: readonly Row[];
  /** Cursor: the last call counted, or undefined at the end. */
  readonly last: string | undefined;
}

async function countPage(tx: Db, scope: ErasureScope, after: string): Promise<Page> {
  const ids = await nextIds(tx, scope, after, pageSize);
  if (ids.length === 0) return { rows: [], last: undefined };
  const { rows } = await sql<Row>`
    select campaign_id, count(*) as calls, count(*) filter (where held) as held,
      coalesce(sum(recording_bytes) filter (where not held), 0)::bigint as bytes,
      min(happened_at) as first, max(happened_at) as last
    from (
      select call.campaign_id, call.recording_bytes, call.happened_at, ${isHeld} as held from ${callsInScope(scope, ids)}
    ) as found
    group by campaign_id`.execute(tx);
  return { rows, last: ids.at(-1) };
}
