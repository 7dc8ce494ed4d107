import type { Metadata } from "@hearback/contract";
import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { outgoingJob } from "../platform/queue.ts";
import type { Target } from "./find-target.ts";
import { prepareCall } from "./prepare-call.ts";
import { claimRecording, type ReceivedRecording } from "./recording.ts";
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
  /** False: the call was there already, and nothing was written. */
  readonly created: boolean;
  /** False: the sweeper took the recording away meanwhile. */
  readonly claimed: boolean;
  readonly createdAt: Date | null;
}

/** Writes the call, its metadata and its first job, and claims its recording: one statement, one round trip. */
export async function insertCall(tx: Db, call: NewCall): Promise<Inserted> {
  const { workspaceId, id, target, recording } = call;
  const keys = call.metadata.map((entry) => entry.key);
  const values = call.metadata.map((entry) => searchValue(entry.value));
  const job = outgoingJob(prepareCall, { workspaceId, callId: id });
  const { rows } = await sql<Inserted>`
    with created as (
      insert into call (
        workspace_id, id, campaign_id, agent_id, happened_at, metadata,
        recording_key, recording_bytes, sha256, format, codec, channels, sample_rate, duration_ms
      ) values (
        ${workspaceId}, ${id}, ${target.campaignId}, ${target.agent.id}, ${call.happenedAt}, ${JSON.stringify(call.metadata)},
        ${recording.key}, ${recording.bytes}, ${recording.sha256}, ${recording.format}, ${recording.codec},
        ${recording.channels}, ${recording.sampleRate}, ${recording.durationMs}
      ) on conflict do nothing returning id, created_at
    ), described as (
      insert into call_metadata (workspace_id, key, value, call_id)
      select distinct ${workspaceId}::uuid, entry.key, entry.value, created.id
      from created, unnest(${keys}::text[], ${values}::text[]) as entry (key, value)
    ), queued as (
      insert into outgoing_job (name, payload) select ${job.name}, ${job.payload}::jsonb from created
    ), claimed as (
      ${claimRecording(recording.key)} and exists (select from created) returning key
    )
    select exists (select from created) as created, exists (select from claimed) as claimed,
      (select created_at from created) as created_at`.execute(tx);
  const [outcome] = rows;
  if (!outcome) throw new Error("an insert with a final select gave no row");
  return outcome;
}
