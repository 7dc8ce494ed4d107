import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import type { StoredCall } from "../call/find-call.ts";
import type { ReceivedRecording } from "../objects/receive-recording.ts";
import { claimObjects } from "../objects/staged-objects.ts";
import { isLostRecording } from "../prepare/recording-fault.ts";
import { queueAgain, unprepared } from "../prepare/reset-preparation.ts";

/**
 * True if the stored recording is flagged as damaged, missing from the object store, or of the wrong length. Costs one HEAD
 * request per duplicate import.
 */
export async function isRecordingLost(app: App, call: StoredCall): Promise<boolean> {
  // Erased on purpose after its sound was masked.
  if (call.originalErasedAt) return false;
  if (isLostRecording(call.failureCode) || call.recordingDamage !== null) return true;
  try {
    return (await app.storage.size(call.recordingKey)) !== call.recordingBytes;
  } catch (err) {
    app.log.warn({ err, callId: call.id }, "could not check whether the recording exists in the object store");
    return false;
  }
}

/**
 * Replaces a call's lost recording with a new upload of it and requeues the call. One transaction claims the new object and
 * leaves the old ones to the sweeper. Returns false if the call or its original was erased, or another import replaced the recording first.
 */
export async function replaceLostRecording(app: App, call: StoredCall, recording: ReceivedRecording): Promise<boolean> {
  const { workspaceId, id } = call;
  const { key, format, codec, channels, sampleRate, durationMs } = recording;
  return inWorkspace(app, workspaceId, async (tx) => {
    const before = await tx
      .selectFrom("call")
      .select(["recordingKey", "playbackKey", "drawingKey", "originalErasedAt"])
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (before?.recordingKey !== call.recordingKey || before.originalErasedAt) return false;
    await tx
      .updateTable("call")
      .set({
        recordingKey: key,
        recordingDamage: null,
        format,
        codec,
        channels,
        sampleRate,
        durationMs,
        ...unprepared,
      })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .execute();
    await claimObjects(tx, [key]);
    await queueAgain(tx, { workspaceId, id }, [before.recordingKey, before.playbackKey, before.drawingKey]);
    return true;
  });
}
