import { createHash } from "node:crypto";
import type { CallItem } from "@hearback/contract";
import type pg from "pg";
import { callId } from "../calls/call/call-id.ts";
import { metadataIndexValue } from "../calls/call/metadata-index-value.ts";

/** A call to insert directly into the tables. */
export interface CallToInsert {
  readonly workspaceId: string;
  readonly campaignId: string;
  readonly agentId: string;
  readonly happenedAt: Date;
  readonly importedAt: Date;
  readonly status: CallItem["status"];
  readonly durationMs: number | null;
  readonly metadata: readonly { readonly key: string; readonly value: string }[];
  /** Determines the SHA-256 of the recording. */
  readonly seed: number;
}

export const sha256Of = (seed: number) => createHash("sha256").update(String(seed)).digest();

/** Inserts calls directly into the database and returns their ids. */
export async function insertCalls(admin: pg.Pool, calls: readonly CallToInsert[]): Promise<string[]> {
  const ids = calls.map((call) => callId({ ...call, sha256: sha256Of(call.seed) }));
  for (const month of new Set(calls.map(({ happenedAt }) => happenedAt.toISOString().slice(0, 7)))) {
    await admin.query("select add_call_month($1)", [`${month}-01T00:00:00Z`]);
  }
  const rows = calls.map((call, index) => ({
    workspace_id: call.workspaceId,
    id: ids[index],
    campaign_id: call.campaignId,
    agent_id: call.agentId,
    happened_at: call.happenedAt,
    created_at: call.importedAt,
    status: call.status,
    metadata: call.metadata,
    imported_on: call.importedAt.toISOString().slice(0, 10),
    sha256: `\\x${sha256Of(call.seed).toString("hex")}`,
    duration_ms: call.durationMs,
  }));
  await admin.query(
    `insert into call (workspace_id, id, campaign_id, agent_id, happened_at, created_at, imported_on, status, metadata,
        recording_key, recording_bytes, sha256, format, duration_ms)
      select workspace_id, id, campaign_id, agent_id, happened_at, created_at, imported_on, status, metadata,
        'recordings/' || id, 1, sha256, 'wav', duration_ms
      from jsonb_populate_recordset(null::call, $1::jsonb) on conflict do nothing`,
    [JSON.stringify(rows)],
  );
  const entries = calls.flatMap((call, index) =>
    call.metadata.map(({ key, value }) => ({
      workspace_id: call.workspaceId,
      call_id: ids[index],
      key,
      value: metadataIndexValue(value),
    })),
  );
  await admin.query(
    `insert into call_metadata (workspace_id, key, value, call_id)
      select workspace_id, key, value, call_id from jsonb_populate_recordset(null::call_metadata, $1::jsonb)
      on conflict do nothing`,
    [JSON.stringify(entries)],
  );
  return ids;
}
