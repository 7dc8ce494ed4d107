import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { enqueue, enqueueAll, type JobReference } from "../../platform/queue/queue.ts";
import { type CallRef, resetStep } from "./call-step.ts";

/** The job that transcribes a call. It is defined in the transcripts folder, which is above this one. */
export const transcriptionJob: JobReference<{ workspaceId: string; callId: string }> = { name: "call.transcribe" };

const enqueueTranscription = (tx: Db, { workspaceId, id }: CallRef) =>
  enqueue(tx, transcriptionJob, { workspaceId, callId: id });

/** Queues the transcription of a prepared call, from the beginning. */
export async function queueTranscription(tx: Db, call: CallRef): Promise<void> {
  await resetStep(tx, call, "transcribe");
  await enqueueTranscription(tx, call);
}

/**
 * Queues the transcription of a call that became ready, if the workspace and the call's campaign want it. A call that was
 * prepared again keeps its transcript, or the job that it waits for.
 */
export async function queueIfWanted(tx: Db, call: CallRef, campaignId: string): Promise<void> {
  const { workspaceId, id } = call;
  const { numAffectedRows = 0n } = await sql`
    insert into call_step (workspace_id, call_id, step, state, attempts, started_at, ended_at)
    select ${workspaceId}, ${id}, 'transcribe', 'running', 0, now(), now()
    from workspace join campaign on campaign.workspace_id = workspace.id
    where workspace.id = ${workspaceId} and workspace.settings ->> 'transcription' = 'true'
      and campaign.id = ${campaignId} and campaign.transcription_language is not null
    on conflict (workspace_id, call_id, step) do update
      set state = 'running', attempts = 0, reason_code = null, reason_detail = null, reason_since = null,
        started_at = now(), ended_at = now()
      where call_step.state = 'failed'`.execute(tx);
  if (numAffectedRows > 0n) await enqueueTranscription(tx, call);
}

interface QueuedCall {
  readonly callId: string;
}

async function enqueueTranscriptions(tx: Db, workspaceId: string, calls: readonly QueuedCall[]): Promise<number> {
  await enqueueAll(
    tx,
    transcriptionJob,
    calls.map(({ callId }) => ({ workspaceId, callId })),
  );
  return calls.length;
}

/** Queues those of the calls whose transcription failed, from the beginning. Returns how many. */
export async function queueFailed(tx: Db, workspaceId: string, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<QueuedCall>`
    update call_step set state = 'running', attempts = 0, reason_code = null, reason_detail = null, reason_since = null,
      started_at = now(), ended_at = now()
    where workspace_id = ${workspaceId} and call_id = any (${[...ids]}::uuid[]) and step = 'transcribe' and state = 'failed'
    returning call_id`.execute(tx);
  return enqueueTranscriptions(tx, workspaceId, rows);
}

/**
 * Queues those of the calls that were never queued and, if the workspace has minutes again, those that wait for them. Returns how
 * many.
 */
export async function queueNew(
  tx: Db,
  workspaceId: string,
  ids: readonly string[],
  { hasMinutes }: { readonly hasMinutes: boolean },
): Promise<number> {
  const { rows } = await sql<QueuedCall>`
    insert into call_step (workspace_id, call_id, step, state, attempts, started_at, ended_at)
    select workspace_id, id, 'transcribe', 'running', 0, now(), now() from call
    where workspace_id = ${workspaceId} and id = any (${[...ids]}::uuid[])
    on conflict (workspace_id, call_id, step) do update set reason_code = null, reason_detail = null, reason_since = null
      where call_step.state = 'running' and call_step.reason_code = 'quota_exceeded' and ${hasMinutes}
    returning call_id`.execute(tx);
  return enqueueTranscriptions(tx, workspaceId, rows);
}
