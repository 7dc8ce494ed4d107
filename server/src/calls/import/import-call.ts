import type { Metadata } from "@hearback/contract";
import type { App } from "../../platform/app.ts";
import type { Caller } from "../../platform/caller.ts";
import { isForeignKeyViolation, isPartitionMissing } from "../../platform/database/errors.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { withRetries } from "../../platform/database/with-retries.ts";
import { AppError, storageUnavailable } from "../../platform/errors.ts";
import type { CallFacts } from "../call/call-body.ts";
import { callId } from "../call/call-id.ts";
import { findCall, type StoredCall, unrestrictedViewer } from "../call/find-call.ts";
import type { IncomingRecording, RecognisedRecording } from "../objects/receive-recording.ts";
import { wasSwept } from "../objects/staged-objects.ts";
import { createCallPartition } from "./create-call-partition.ts";
import { type CampaignAndAgent, findCampaignAndAgent } from "./find-campaign-and-agent.ts";
import { type Inserted, insertCall, type NewCall, wasErased } from "./insert-call.ts";
import { isRecordingLost, replaceLostRecording } from "./replace-lost-recording.ts";

export interface CallToImport {
  readonly target: CampaignAndAgent;
  readonly happenedAt: Date;
  readonly metadata: Metadata;
}

export interface ImportCallInput extends CallToImport {
  readonly recording: IncomingRecording;
}

export interface ImportedCall {
  readonly call: CallFacts;
  readonly duplicate: boolean;
  /** The call was erased on request and is not stored again. `call` echoes the request. */
  readonly erased: boolean;
  /** The stored recording was lost, and this upload replaced it. */
  readonly restored: boolean;
  readonly recording: RecognisedRecording;
}

/** Creates a call from a received recording and queues its preparation. Idempotent: importing again returns the same call. */
export async function importCall(app: App, caller: Caller, input: ImportCallInput): Promise<ImportedCall> {
  const { workspaceId } = caller;
  const { target, happenedAt, metadata } = input;
  const recording = input.recording.recognise();
  await input.recording.store();

  const id = callIdOf(workspaceId, input, recording);
  const row = { workspaceId, id, target, happenedAt, metadata, recording };
  const outcome = await insertOrFind(app, row).catch(async (error) => {
    if (!wasSwept(error)) throw error;
    await input.recording.discardUnclaimed();
    throw storageUnavailable(error);
  });
  if ("createdAt" in outcome) {
    const call = newCall(id, input, recording, outcome.createdAt);
    return { call, duplicate: false, erased: false, restored: false, recording };
  }
  if ("restored" in outcome) {
    app.log.info({ workspaceId, callId: id }, "restored a lost recording from a repeated import");
    return { call: outcome.restored, duplicate: true, erased: false, restored: true, recording };
  }

  // On failure the sweeper deletes the object later. The outcome for the client is already decided.
  await input.recording
    .discardUnclaimed()
    .catch((err) => app.log.warn({ err, callId: id }, "could not discard the recording; the sweeper will delete it"));
  if ("found" in outcome) return { call: outcome.found, duplicate: true, erased: false, restored: false, recording };
  const sent = newCall(id, { ...input, metadata: [] }, recording, new Date());
  return { call: sent, duplicate: true, erased: true, restored: false, recording };
}

type Outcome =
  | { readonly createdAt: Date }
  | { readonly found: StoredCall }
  | { readonly restored: StoredCall }
  | { readonly erased: true };

/** Retries cover races: the call can be erased between the insert conflict and the read. */
const maxAttempts = 5;

async function insertOrFind(app: App, row: NewCall): Promise<Outcome> {
  const { workspaceId, id, target } = row;
  for (let attempt = 1; ; attempt++) {
    try {
      const { createdAt } = await insert(app, row);
      if (createdAt) return { createdAt };
      const find = () => inWorkspace(app, workspaceId, (tx) => findCall(tx, workspaceId, id));
      const found = await find();
      if (!(await isRecordingLost(app, found))) return { found };
      if (await replaceLostRecording(app, found, row.recording)) return { restored: await find() };
      if (attempt === maxAttempts) return { found: await find() };
    } catch (error) {
      if (wasErased(error)) return { erased: true };
      // A foreign key violation: the agent was erased after the lookup.
      const vanished = isForeignKeyViolation(error) || (error instanceof AppError && error.code === "call_not_found");
      if (!vanished || attempt === maxAttempts) throw error;
      // Throws campaign_not_found or agent_not_found if one of them was deleted.
      await findCampaignAndAgent(app, unrestrictedViewer(workspaceId), target.campaignId, target.agent.email);
    }
  }
}

/** After a failover, a month that was just created can be missing again. */
async function insert(app: App, call: NewCall): Promise<Inserted> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withRetries(() => insertCall(app.db, call));
    } catch (error) {
      if (!isPartitionMissing(error) || attempt === maxAttempts) throw error;
      await createCallPartition(app, call.workspaceId, call.happenedAt);
    }
  }
}

export function callIdOf(
  workspaceId: string,
  { target, happenedAt }: CallToImport,
  { sha256 }: RecognisedRecording,
): string {
  return callId({ workspaceId, campaignId: target.campaignId, agentId: target.agent.id, happenedAt, sha256 });
}

/** The state of a call right after its import. */
export function newCall(id: string, input: CallToImport, recording: RecognisedRecording, createdAt: Date): CallFacts {
  const { target, happenedAt, metadata } = input;
  return {
    id,
    campaignId: target.campaignId,
    agentId: target.agent.id,
    agentEmail: target.agent.email,
    agentName: target.agent.name,
    happenedAt,
    metadata,
    status: "received",
    failureCode: null,
    failureDetail: null,
    recordingBytes: recording.bytes,
    sha256: recording.sha256,
    format: recording.format,
    codec: recording.codec,
    channels: recording.channels,
    sampleRate: recording.sampleRate,
    durationMs: recording.durationMs,
    createdAt,
  };
}
