import type { EventData, Metadata } from "@hearback/contract";
import type { Db } from "../platform/database/database.ts";
import { prepared } from "../platform/database/prepared.ts";
import { outgoingJob } from "../platform/queue.ts";
import type { Target } from "./find-target.ts";
import { prepareCall } from "./prepare-call.ts";
import type { ReceivedRecording } from "./recording.ts";
import { searchValue } from "./search-value.ts";

export interface NewCall {
  readonly workspaceId: string;
  readonly id: string;
  readonly target: Target;
  readonly happenedAt: Date;
  readonly metadata: Metadata;
  readonly recording: ReceivedRecording;
}

export interface Inserted {
  /** Absent: the call was there already, and nothing was written. */
  readonly createdAt: Date | null;
}

/** What PostgreSQL says when the recording was swept before its call was written (migration 0001). */
const sweptCode = "HB001";
export const wasSwept = (error: unknown) => error instanceof Error && "code" in error && error.code === sweptCode;

/** The same when the call was erased (migration 0008). */
const erasedCode = "HB002";
export const wasErased = (error: unknown) => error instanceof Error && "code" in error && error.code === erasedCode;

/**
 * Writes the call, its metadata, its first job and its first event, and claims its recording: one statement that is the whole
 * transaction, one round trip. All of it or, if the call is there already, nothing.
 */
export async function insertCall(db: Db, call: NewCall): Promise<Inserted> {
  const { workspaceId, id, target, recording } = call;
  const keys = call.metadata.map((entry) => entry.key);
  const values = call.metadata.map((entry) => searchValue(entry.value));
  const job = outgoingJob(prepareCall, { workspaceId, callId: id });
  const told: EventData<"call.imported"> = { call_id: id, campaign_id: target.campaignId, agent_id: target.agent.id };
  // What is inserted is selected from "scope", so it comes after the setting that lets it be written.
  const rows = await prepared<{ createdAt: Date }>(db, "insert-call")`
    with scope as materialized (
      select set_config('hearback.workspace', ${workspaceId}, true)::uuid as workspace_id
    ), created as (
      insert into call (
        workspace_id, id, campaign_id, agent_id, happened_at, metadata,
        recording_key, recording_bytes, sha256, format, codec, channels, sample_rate, duration_ms
      )
      select scope.workspace_id, ${id}::uuid, ${target.campaignId}, ${target.agent.id}::uuid, ${call.happenedAt}::timestamptz,
        ${JSON.stringify(call.metadata)}::jsonb, ${recording.key}, ${recording.bytes}::bigint, ${recording.sha256}::bytea,
        ${recording.format}, ${recording.codec}::text, ${recording.channels}::smallint, ${recording.sampleRate}::integer,
        ${recording.durationMs}::bigint
      from scope
      on conflict do nothing returning workspace_id, id, created_at
    ), described as (
      insert into call_metadata (workspace_id, key, value, call_id)
      select distinct created.workspace_id, entry.key, entry.value, created.id
      from created, unnest(${keys}::text[], ${values}::text[]) as entry (key, value)
    ), queued as (
      insert into outgoing_job (name, payload) select ${job.name}, ${job.payload}::jsonb from created
    ), announced as (
      insert into event (workspace_id, type, data)
      select workspace_id, 'call.imported', ${JSON.stringify(told)}::jsonb from created
    ), claimed as (
      delete from staged_object
      where key = ${recording.key} and condemned_at is null and exists (select from created) returning key
    )
    select created_at from created
    where (exists (select from claimed) or recording_was_swept()) and refuse_erased_call(workspace_id, id)`;
  return { createdAt: rows[0]?.createdAt ?? null };
}
