import type { StoredCall } from "../../calls/call/find-call.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { hasTranscriber } from "../../platform/has-transcriber.ts";
import { readTranscriptionSettings } from "../steps/transcription-settings.ts";

/** Why a call has no transcript, as the end of a sentence. */
export async function explainMissing(app: App, tx: Db, call: StoredCall): Promise<string> {
  const step = await tx
    .selectFrom("callStep")
    .select(["state", "endedAt", "reasonDetail"])
    .where("workspaceId", "=", call.workspaceId)
    .where("callId", "=", call.id)
    .where("step", "=", "transcribe")
    .executeTakeFirst();
  if (step?.state === "failed")
    return `its transcription failed: ${step.reasonDetail ?? "see the worker's log."} Retry with POST /calls/{id}/transcribe.`;
  if (step?.state === "running") {
    if (!step.endedAt) return "it is being transcribed now. Wait for the call.transcribed event.";
    const reason = step.reasonDetail ? ` The last attempt ended with: ${step.reasonDetail}` : "";
    return `it waits to be transcribed. Wait for the call.transcribed event.${reason}`;
  }
  if (call.status === "failed") return "its preparation failed, and only prepared calls are transcribed.";
  const { isOn, language } = await readTranscriptionSettings(tx, call.workspaceId, call.campaignId);
  if (!hasTranscriber(app)) return "the operator of this server has not configured a transcription engine.";
  if (!isOn) return "transcription is off in this workspace.";
  if (!language) return "transcription is off in its campaign.";
  if (call.status === "received") return "it is still being prepared, and is transcribed after that.";
  return "it was prepared while transcription was off. Request it with POST /calls/{id}/transcribe.";
}
