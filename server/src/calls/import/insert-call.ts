import type { EventData, Metadata } from "@hearback/contract";
import { inBatchesByKey } from "../../platform/async/in-batches.ts";
import { onePer } from "../../platform/async/one-per.ts";
import type { Db } from "../../platform/database/database.ts";
import { runStatement, statement } from "../../platform/database/prepared-statement.ts";
import { errorCode, hasErrorCode } from "../../platform/error-code.ts";
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

/** Calls that arrive while a batch is written form the next one, which waits for it for this long at most. */
const batchOptions = { maxItems: 64, maxWaitMs: 50 };
/** A call that waits for another transaction must not delay the others of its batch. */
const batchLockTimeout = "100ms";

/** Creation times of the calls that were created, by recording key. */
type Created = ReadonlyMap<string, Date>;

const batchesOf = onePer((db: Db) =>
  inBatchesByKey(async (workspaceId, rows: CallRow[]): Promise<Created | undefined> => {
    if (rows.length === 1) return insertCalls(db, workspaceId, rows);
    // Two processes that insert the same calls in different orders would wait for each other.
    rows.sort((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
    try {
      return await insertCalls(db, workspaceId, rows, batchLockTimeout);
    } catch (error) {
      if (wasRolledBack(error)) return undefined;
      throw error;
    }
  }, batchOptions),
);

/**
 * Inserts the call, its metadata, its first job and its first event, and claims its recording, in one transaction. Writes nothing
 * if the call already exists. Concurrent imports of a workspace share a statement. If PostgreSQL refuses it because of one of
 * them, each is repeated alone. After any other error the calls may exist, and a repeated insert would take them for duplicates
 * and discard their recordings: the clients get 503 instead.
 */
export async function insertCall(db: Db, call: NewCall): Promise<Inserted> {
  const { workspaceId } = call;
  const row = rowOf(call);
  const created = (await batchesOf(db)(workspaceId, row)) ?? (await insertCalls(db, workspaceId, [row]));
  return { createdAt: created.get(row.recording_key) ?? null };
}

/**
 * SQLSTATEs with which PostgreSQL certainly wrote nothing: invalid data, constraints, conflicts, missing rights, limits, damaged
 * indexes, and our own refusals.
 */
const wasRolledBack = (error: unknown) =>
  /^(22|23|42|54|P0|HB)|^(40001|40P01|55P03|XX001|XX002)$/.test(errorCode(error) ?? "");

/** A call as the statement reads it. Names are those of its columns. */
type CallRow = ReturnType<typeof rowOf>;

/** Built for each request, not for the batch: the job continues the request's trace. */
function rowOf({ workspaceId, id, target, happenedAt, metadata, recording }: NewCall) {
  const event: EventData<"call.imported"> = { call_id: id, campaign_id: target.campaignId, agent_id: target.agent.id };
  return {
    id,
    campaign_id: target.campaignId,
    agent_id: target.agent.id,
    happened_at: happenedAt,
    metadata,
    recording_key: recording.key,
    recording_bytes: recording.bytes,
    sha256: recording.sha256.toString("hex"),
    format: recording.format,
    codec: recording.codec,
    channels: recording.channels,
    sample_rate: recording.sampleRate,
    duration_ms: recording.durationMs,
    metadata_index: metadata.map(({ key, value }) => ({ key, value: metadataIndexValue(value) })),
    job: outgoingJob(prepareCall, { workspaceId, callId: id }).payload,
    event,
  };
}

/** Everything selects from "scope", so it runs after set_config(), on which row-level security depends. */
const insertStatement = statement(
  "insert-calls",
  `with scope as materialized (
    select set_config('hearback.workspace', :workspaceId, true)::uuid as workspace_id,
      set_config('lock_timeout', coalesce(:lockTimeout, current_setting('lock_timeout')), true)
  ), given as materialized (
    select scope.workspace_id, row.* from scope, json_to_recordset(:rows::json) as row (
      id uuid, campaign_id text, agent_id uuid, happened_at timestamptz, metadata jsonb, recording_key text,
      recording_bytes bigint, sha256 text, format text, codec text, channels smallint, sample_rate integer,
      duration_ms bigint, metadata_index json, job text, event jsonb
    )
  ), created as (
    insert into call (
      workspace_id, id, campaign_id, agent_id, happened_at, metadata,
      recording_key, recording_bytes, sha256, format, codec, channels, sample_rate, duration_ms
    )
    select workspace_id, id, campaign_id, agent_id, happened_at, metadata,
      recording_key, recording_bytes, decode(sha256, 'hex'), format, codec, channels, sample_rate, duration_ms
    from given
    on conflict do nothing returning workspace_id, id, campaign_id, recording_key, created_at
  ), added as materialized (
    -- By key: the same call can be given twice, with two uploads of its recording.
    select created.*, given.metadata_index, given.job, given.event from created join given using (recording_key)
  ), described as (
    insert into call_metadata (workspace_id, key, value, call_id)
    select distinct added.workspace_id, entry.key, entry.value, added.id
    from added, json_to_recordset(added.metadata_index) as entry (key text, value text)
  ), queued as (
    insert into outgoing_job (name, payload) select :jobName, job::jsonb from added
  ), announced as (
    -- The subquery runs once: its function reads a file.
    insert into event (workspace_id, epoch, type, data)
    select workspace_id, (select event_epoch_of_insert()), 'call.imported', event from added
  ), counted as (
    insert into import_delta (workspace_id, bucket, campaign_id, status, count)
    select workspace_id, import_bucket(created_at), campaign_id, 'received', count(*) from added group by 1, 2, 3
  ), claimed as (
    ${claimSql("array(select recording_key from created)")}
  )
  select recording_key, created_at from created
  where (recording_key in (select key from claimed) or recording_was_swept()) and refuse_erased_call(workspace_id, id)`,
);

async function insertCalls(
  db: Db,
  workspaceId: string,
  rows: readonly CallRow[],
  lockTimeout: string | null = null,
): Promise<Created> {
  const created = await runStatement<{ recordingKey: string; createdAt: Date }>(db, insertStatement, {
    workspaceId,
    lockTimeout,
    rows: JSON.stringify(rows),
    jobName: prepareCall.name,
  });
  return new Map(created.map(({ recordingKey, createdAt }) => [recordingKey, createdAt]));
}
