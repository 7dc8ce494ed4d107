import { isDeepStrictEqual } from "node:util";
import { type Masking, type TranscriptionFailureCode, WorkspaceSettings } from "@hearback/contract";
import { findCall, type StoredCall } from "../../calls/call/find-call.ts";
import { restageAndDiscard } from "../../calls/objects/staged-objects.ts";
import {
  beginStep,
  type CallRef,
  endStep,
  type LastReason,
  removeStep,
  type StepReason,
  saveReason,
} from "../../calls/prepare/call-step.ts";
import { transcriptionJob } from "../../calls/prepare/transcription-job.ts";
import { emitEvent } from "../../events/emit-event.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { enqueue } from "../../platform/queue/queue.ts";
import type { MaskOptions } from "../masking/find-sensitive.ts";
import { lockStep } from "./lock-step.ts";
import { isQuotaUsed } from "./quota.ts";
import { hasProgressed, hasRun, keepRun, removeRun } from "./transcription-run.ts";

const step = "transcribe";

/** What the workspace and the campaign want. */
export interface WantedTranscription {
  readonly language: string;
  readonly masking: Masking;
  readonly maskOptions: MaskOptions;
  readonly erasesOriginals: boolean;
}

export interface StartedTranscription {
  readonly call: StoredCall;
  readonly wanted: WantedTranscription;
  readonly attempts: number;
  readonly lastReason: LastReason;
}

/**
 * Marks the step as running. Returns undefined if there is nothing to do now: the call was transcribed, erased or not prepared
 * yet, transcription was turned off, or the workspace has used its quota of the day and the call waits for the next one.
 */
export async function startTranscription(app: App, ref: CallRef): Promise<StartedTranscription | undefined> {
  const { started, keyObject } = await inWorkspace(app, ref.workspaceId, (tx) => start(app, tx, ref));
  if (keyObject) await restageAndDiscard(app, [keyObject]);
  return started;
}

interface Start {
  readonly started?: StartedTranscription;
  /** The key of a run that was removed. */
  readonly keyObject?: string | undefined;
}

async function start(app: App, tx: Db, ref: CallRef): Promise<Start> {
  const found = await lockCall(tx, ref);
  if (!found) return {};
  const { call, settings } = found;
  const wanted = wantedBy(found);
  if (!wanted) {
    await removeStep(tx, ref, step);
    return { keyObject: await removeRun(tx, ref) };
  }
  if (call.status !== "ready") {
    // When the call becomes ready, it is queued again and continues with what was heard.
    await removeStep(tx, ref, step);
    return {};
  }
  // A call that has begun is finished: most of it has been counted.
  const minutes = settings.transcription_minutes_per_day;
  if ((await isQuotaUsed(tx, ref.workspaceId, minutes)) && !(await hasRun(tx, ref))) {
    await waitForTomorrow(app, tx, ref);
    return {};
  }
  const { attempts, ...lastReason } = await beginStep(tx, ref, step);
  return { started: { call, wanted, attempts, lastReason } };
}

/** Undefined if transcription is off. */
function wantedBy({ campaign, settings }: LockedCall): WantedTranscription | undefined {
  const language = campaign.transcriptionLanguage;
  if (!settings.transcription || language === null) return undefined;
  return {
    language,
    masking: campaign.masking as Masking,
    maskOptions: {
      language,
      phoneNumbers: settings.mask_phone_numbers,
      emails: settings.mask_emails,
      ownWords: settings.masked_words,
    },
    erasesOriginals: campaign.eraseMaskedOriginals,
  };
}

type LockedCall = NonNullable<Awaited<ReturnType<typeof lockCall>>>;

async function lockCall(tx: Db, ref: CallRef) {
  const wanted = await lockStep(tx, ref);
  if (!wanted) return undefined;
  const { workspaceId, id } = ref;
  const call = await findCall(tx, workspaceId, id);
  const campaign = await tx
    .selectFrom("campaign")
    .select(["transcriptionLanguage", "masking", "eraseMaskedOriginals"])
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", call.campaignId)
    .executeTakeFirstOrThrow();
  const workspace = await tx
    .selectFrom("workspace")
    .select("settings")
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  return { call, campaign, settings: WorkspaceSettings.parse(workspace.settings), attempts: wanted.attempts };
}

const msPerMinute = 60_000;
const dayMs = 24 * 60 * msPerMinute;

async function waitForTomorrow(app: App, tx: Db, ref: CallRef): Promise<void> {
  const startAfter = new Date(Math.floor(Date.now() / dayMs + 1) * dayMs);
  const detail = `The workspace has used its minutes of transcription for today. The call is transcribed after ${startAfter.toISOString()}.`;
  await queueLater(app, tx, ref, { reason: { code: "quota_exceeded", detail }, startAfter });
}

interface Later {
  readonly reason: StepReason;
  readonly startAfter: Date;
}

/** Queues the job again, as a new one: it keeps its attempts. */
async function queueLater(app: App, tx: Db, ref: CallRef, { reason, startAfter }: Later): Promise<void> {
  if (!(await saveReason(tx, ref, step, reason))) return;
  await enqueue(tx, transcriptionJob, { workspaceId: ref.workspaceId, callId: ref.id }, { startAfter });
  app.metrics.transcriptions.inc({ outcome: reason.code === "quota_exceeded" ? reason.code : "waiting" });
}

const firstWaitMs = 1_000;
const longestWaitMs = 10 * msPerMinute;

/** Lets the call wait for the engine, without the limit of attempts that other errors have. */
export async function waitForEngine(app: App, ref: CallRef, reason: StepReason, attempts: number): Promise<void> {
  const startAfter = new Date(Date.now() + Math.min(firstWaitMs * 2 ** Math.min(attempts, 20), longestWaitMs));
  await inWorkspace(app, ref.workspaceId, (tx) => queueLater(app, tx, ref, { reason, startAfter }));
}

/** Queues a call again that waited in its lane for too long. Its step and what was heard stay as they are. */
export async function queueAfterPause(app: App, { workspaceId, id }: CallRef): Promise<void> {
  await keepRun(app, { workspaceId, id });
  const startAfter = new Date(Date.now() + firstWaitMs);
  await inWorkspace(app, workspaceId, (tx) =>
    enqueue(tx, transcriptionJob, { workspaceId, callId: id }, { startAfter }),
  );
}

export interface TranscriptionFailure {
  readonly code: TranscriptionFailureCode;
  readonly detail: string;
}

/** Marks the transcription as failed and removes what was heard. The call itself stays as it is. */
export async function failTranscription(app: App, ref: CallRef, failure: TranscriptionFailure): Promise<void> {
  const { workspaceId } = ref;
  const ended = await inWorkspace(app, workspaceId, async (tx) => {
    const found = await lockCall(tx, ref);
    if (!found) return undefined;
    await endStep(tx, ref, step, { state: "failed", reasonCode: failure.code, reasonDetail: failure.detail });
    const data = { ...subjectOf(found.call), failure };
    await emitEvent(tx, { workspaceId, type: "call.transcription_failed", data });
    return { keyObject: await removeRun(tx, ref) };
  });
  if (!ended) return;
  app.metrics.transcriptions.inc({ outcome: failure.code });
  if (ended.keyObject) await restageAndDiscard(app, [ended.keyObject]);
}

const subjectOf = ({ id, campaignId, agentId }: StoredCall) => ({
  call_id: id,
  campaign_id: campaignId,
  agent_id: agentId,
});

/**
 * While the call was transcribed, it was prepared again or got another recording, or settings changed, such as what is masked.
 * Nothing was stored. The queue retries the job.
 */
export class TranscriptionOutdated extends Error {
  override name = "TranscriptionOutdated";
}

interface EndedTranscription {
  readonly id: string;
  readonly wanted: WantedTranscription;
  /** The call that was transcribed. */
  readonly call: Pick<StoredCall, "recordingKey" | "playbackKey">;
}

/**
 * Ends the step in the transaction that stores its result, and announces it. Returns undefined if another run did so first, or
 * the call was erased; otherwise the object of the run's key, if it is still there.
 */
export async function endTranscription(
  tx: Db,
  ref: CallRef,
  { id, wanted, call }: EndedTranscription,
): Promise<{ readonly keyObject: string | undefined } | undefined> {
  const found = await lockCall(tx, ref);
  if (!found) return undefined;
  const { status, recordingKey, playbackKey } = found.call;
  if (status !== "ready" || recordingKey !== call.recordingKey || playbackKey !== call.playbackKey)
    throw new TranscriptionOutdated("the call was prepared again meanwhile");
  if (!isDeepStrictEqual(wantedBy(found), wanted))
    throw new TranscriptionOutdated("the settings of transcription changed");
  await endStep(tx, ref, step, { state: "done" });
  const data = { ...subjectOf(found.call), transcript_id: id };
  await emitEvent(tx, { workspaceId: ref.workspaceId, type: "call.transcribed", data });
  return { keyObject: await removeRun(tx, ref) };
}

/**
 * Decides about a step whose job has used up its retries. One that got answers meanwhile is queued again: its worker was stopped each
 * time, and it continues where it was.
 */
export async function shouldAbandon(app: App, ref: CallRef): Promise<boolean> {
  const { workspaceId, id } = ref;
  return inWorkspace(app, workspaceId, async (tx) => {
    const found = await lockCall(tx, ref);
    // It was requested again meanwhile; the new job takes over.
    if (!found?.attempts) return false;
    if (!(await hasProgressed(tx, ref))) return true;
    await enqueue(tx, transcriptionJob, { workspaceId, callId: id });
    return false;
  });
}
