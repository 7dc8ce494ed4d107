import type { Metadata } from "@hearback/contract";
import type { App } from "../platform/app.ts";
import type { Caller } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { withRetries } from "../platform/database/with-retries.ts";
import { AppError, storageUnavailable } from "../platform/errors.ts";
import { addCallMonth } from "./add-call-months.ts";
import type { CallFacts } from "./call-body.ts";
import { callId } from "./call-id.ts";
import { anyCallOf, findCall, type StoredCall } from "./find-call.ts";
import { findTarget, type Target } from "./find-target.ts";
import { type Inserted, insertCall, type NewCall, wasErased, wasSwept } from "./insert-call.ts";
import type { IncomingRecording, KnownRecording } from "./recording.ts";

export interface CallToImport {
  readonly target: Target;
  readonly happenedAt: Date;
  readonly metadata: Metadata;
}

export interface ImportCallInput extends CallToImport {
  readonly recording: IncomingRecording;
}

export interface ImportedCall {
  readonly call: CallFacts;
  readonly duplicate: boolean;
  /** It was erased on request, and is not stored again. `call` is what was sent this time. */
  readonly erased: boolean;
  readonly recording: KnownRecording;
}

/** Makes a call out of a received recording and hands it to the workers. Importing it again gives the same call. */
export async function importCall(app: App, caller: Caller, input: ImportCallInput): Promise<ImportedCall> {
  const { workspaceId } = caller;
  const { target, happenedAt, metadata } = input;
  const recording = input.recording.recognise();
  await input.recording.store();

  const id = idOf(workspaceId, input, recording);
  const row = { workspaceId, id, target, happenedAt, metadata, recording };
  const outcome = await insertOrFind(app, row).catch(async (error) => {
    if (!wasSwept(error)) throw error;
    await input.recording.discardUnclaimed();
    throw storageUnavailable(error);
  });
  if ("createdAt" in outcome) {
    return { call: newCall(id, input, recording, outcome.createdAt), duplicate: false, erased: false, recording };
  }

  // Should it fail, the sweeper does it: the call is there, or may not be, and that is what the client asks.
  await input.recording
    .discardUnclaimed()
    .catch((err) => app.log.warn({ err, callId: id }, "recording left to the sweeper"));
  if ("found" in outcome) return { call: outcome.found, duplicate: true, erased: false, recording };
  const sent = newCall(id, { ...input, metadata: [] }, recording, new Date());
  return { call: sent, duplicate: true, erased: true, recording };
}

type Outcome = { readonly createdAt: Date } | { readonly found: StoredCall } | { readonly erased: true };

/** A call that is there may be erased before it was read: then it is erased, or can be written again. */
const mostAttempts = 5;

async function insertOrFind(app: App, row: NewCall): Promise<Outcome> {
  const { workspaceId, id, target } = row;
  for (let attempt = 1; ; attempt++) {
    try {
      const { createdAt } = await insert(app, row);
      if (createdAt) return { createdAt };
      return { found: await inWorkspace(app, workspaceId, (tx) => findCall(tx, workspaceId, id)) };
    } catch (error) {
      if (wasErased(error)) return { erased: true };
      const vanished = targetIsGone(error) || (error instanceof AppError && error.code === "call_not_found");
      if (!vanished || attempt === mostAttempts) throw error;
      // Says which of them is not there any more, if one of them is not.
      await findTarget(app, anyCallOf(workspaceId), target.campaignId, target.agent.email);
    }
  }
}

/** The agent was erased after it was found. */
const targetIsGone = (error: unknown) => error instanceof Error && "code" in error && error.code === "23503";

async function insert(app: App, call: NewCall): Promise<Inserted> {
  const attempt = () => withRetries(() => insertCall(app.db, call));
  try {
    return await attempt();
  } catch (error) {
    if (!monthIsMissing(error)) throw error;
    await withRetries(() => addCallMonth(app.db, call.happenedAt));
    return attempt();
  }
}

/** PostgreSQL found no partition for the row. Its message may be in any language; the routine's name is not. */
const monthIsMissing = (error: unknown) =>
  error instanceof Error && "routine" in error && error.routine === "ExecFindPartition";

export function idOf(workspaceId: string, { target, happenedAt }: CallToImport, { sha256 }: KnownRecording): string {
  return callId({ workspaceId, campaignId: target.campaignId, agentId: target.agent.id, happenedAt, sha256 });
}

/** A call as it is right after its import. */
export function newCall(id: string, input: CallToImport, recording: KnownRecording, createdAt: Date): CallFacts {
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
