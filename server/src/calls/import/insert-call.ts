import type { EventData, Metadata } from "@hearback/contract";
import type { Db } from "../../platform/database/database.ts";
import { runStatement, statement } from "../../platform/database/prepared-statement.ts";
import { hasErrorCode } from "../../platform/error-code.ts";
import { outgoingJob } from "../../platform/queue/queue.ts";
import { metadataIndexValue } from "../call/metadata-index-value.ts";
import type { ReceivedRecording } from "../objects/receive-recording.ts";
import { claimSql } from "../objects/staged-objects.ts";
import { prepareCall } from "../prepare/prepare-call.ts";
import type { CampaignAndAgent } from "./find-campaign-and-agent.ts";

export interface NewCall {
  readonly workspaceId: string;
  readonly id: string;
  readonly target: CampaignAndAgent;
  readonly happenedAt: Date;
  readonly metadata: Metadata;
  readonly recording: ReceivedRecording;
}

export interface Inserted {
  /** Null if the call already existed; nothing was written then. */
  readonly createdAt: Date | null;
}

/** SQLSTATE of refuse_erased_call(): the call was erased (migration 0008). */
export const wasErased = (error: unknown) => hasErrorCode(error, "HB002");

/** Every insert selects from "scope", so it runs after set_config(), on which row-level security depends. */
const insertStatement = statement(
  "insert-call",
  `with scope as materialized (
    select set_config('hearback.workspace', :workspaceId, true)::uuid as workspace_id
  ), created as (
    insert into call (
      workspace_id, id, campaign_id, agent_id, happened_at, metadata,
      recording_key, recording_bytes, sha256, format, codec, channels, sample_rate, duration_ms
    )
    select scope.workspace_id, :id::uuid, :campaignId, :agentId::uuid, :happenedAt::timestamptz, :metadata::jsonb,
      :recordingKey, :recordingBytes::bigint, :sha256::bytea, :format, :codec::text, :channels::smallint,
      :sampleRate::integer, :durationMs::bigint
    from scope
    on conflict do nothing returning workspace_id, id, created_at
  ), described as (
    insert into call_metadata (workspace_id, key, value, call_id)
    select distinct created.workspace_id, entry.key, entry.value, created.id
    from created, unnest(:metadataKeys::text[], :metadataValues::text[]) as entry (key, value)
  ), queued as (
    insert into outgoing_job (name, payload) select :jobName, :jobPayload::jsonb from created
  ), announced as (
    insert into event (workspace_id, type, data) select workspace_id, 'call.imported', :event::jsonb from created
  ), counted as (
    insert into import_delta (workspace_id, bucket, campaign_id, status, count)
    select workspace_id, import_bucket(created_at), :campaignId, 'received', 1 from created
  ), claimed as (
    ${claimSql({ key: ":recordingKey", when: "exists (select from created)" })}
  )
  select created_at from created
  where (exists (select from claimed) or recording_was_swept()) and refuse_erased_call(workspace_id, id)`,
);

/**
 * Inserts the call, its metadata, its first job and its first event, and claims its recording, in one statement: one transaction,
 * one round trip. Writes nothing if the call already exists.
 */
export async function insertCall(db: Db, call: NewCall): Promise<Inserted> {
  const { workspaceId, id, target, recording } = call;
  const job = outgoingJob(prepareCall, { workspaceId, callId: id });
  const event: EventData<"call.imported"> = { call_id: id, campaign_id: target.campaignId, agent_id: target.agent.id };
  const rows = await runStatement<{ createdAt: Date }>(db, insertStatement, {
    workspaceId,
    id,
    campaignId: target.campaignId,
    agentId: target.agent.id,
    happenedAt: call.happenedAt,
    metadata: JSON.stringify(call.metadata),
    recordingKey: recording.key,
    recordingBytes: recording.bytes,
    sha256: recording.sha256,
    format: recording.format,
    codec: recording.codec,
    channels: recording.channels,
    sampleRate: recording.sampleRate,
    durationMs: recording.durationMs,
    metadataKeys: call.metadata.map((entry) => entry.key),
    metadataValues: call.metadata.map((entry) => metadataIndexValue(entry.value)),
    jobName: job.name,
    jobPayload: job.payload,
    event: JSON.stringify(event),
  });
  return { createdAt: rows[0]?.createdAt ?? null };
}
