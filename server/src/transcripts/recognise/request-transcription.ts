import type { Selectable } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { type CallDetail, delayedAfterMs, findCallDetail } from "../../calls/call/call-detail.ts";
import { type CallViewer, lockVisibleCall, type StoredCall } from "../../calls/call/find-call.ts";
import { callFailed, callNotReady, originalErased } from "../../calls/errors.ts";
import { callsWithoutJob } from "../../calls/prepare/calls-without-job.ts";
import { queueTranscription, transcriptionJob } from "../../calls/prepare/transcription-job.ts";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import type { CallStep } from "../../platform/database/tables.ts";
import { hasTranscriber } from "../../platform/has-transcriber.ts";
import { transcriptionNotConfigured } from "../../workspaces/errors.ts";
import { transcriptionOff } from "../errors.ts";
import { isQuotaUsed } from "../steps/quota.ts";
import { readTranscriptionSettings } from "../steps/transcription-settings.ts";

export interface RequestedTranscription extends CallDetail {
  /** False if the call already has a job. */
  readonly queued: boolean;
}

/** Queues a call to be transcribed: one that failed, was never transcribed, or shall be transcribed again. */
export async function requestTranscription(
  app: App,
  viewer: CallViewer,
  callId: string,
  actor: Actor,
): Promise<RequestedTranscription> {
  const { workspaceId } = viewer;
  return inWorkspace(app, workspaceId, async (tx) => {
    const call = await lockVisibleCall(tx, viewer, callId);
    if (call.status === "failed") throw callFailed(call.failureDetail);
    if (call.status !== "ready") throw callNotReady();
    if (call.originalErasedAt) throw originalErased();
    const { minutesPerDay } = await requireTranscription(app, tx, call);
    const detail = await findCallDetail(tx, viewer, call.id);
    const step = detail.steps.find((found) => found.step === "transcribe");
    if (step?.state === "running" && (await hasJob(tx, step, minutesPerDay))) return { ...detail, queued: false };
    await queueTranscription(tx, { workspaceId, id: call.id });
    const requested = await findCallDetail(tx, viewer, call.id);
    const subject = { type: "call", id: call.id };
    await recordAuditEntry(tx, workspaceId, { actor, action: "call.transcription_requested", subject });
    return { ...requested, queued: true };
  });
}

/** The job of a call that waits for the next day counts only while the quota is used up: it may have been raised. */
async function hasJob(
  tx: Db,
  { workspaceId, callId, startedAt, reasonCode }: Selectable<CallStep>,
  minutesPerDay: number | null,
): Promise<boolean> {
  if (reasonCode === "quota_exceeded") return isQuotaUsed(tx, workspaceId, minutesPerDay);
  const isRecent = Date.now() - startedAt.getTime() < delayedAfterMs;
  return isRecent || (await callsWithoutJob(tx, transcriptionJob.name, [callId])).length === 0;
}

async function requireTranscription(app: App, tx: Db, { workspaceId, campaignId }: StoredCall) {
  const settings = await readTranscriptionSettings(tx, workspaceId, campaignId);
  const { isOn, language } = settings;
  if (!hasTranscriber(app)) throw transcriptionNotConfigured();
  if (!isOn)
    throw transcriptionOff(
      "Transcription is off in this workspace. An administrator can turn it on: workspace settings, `transcription`.",
    );
  if (!language)
    throw transcriptionOff(
      `Transcription is off in the campaign ${campaignId}. An administrator can turn it on: PATCH /campaigns/${campaignId} with a transcription_language.`,
    );
  return settings;
}
