import { analyseRecording, type PreparableRecording } from "../../calls/prepare/analyse-recording.ts";
import type { CallRef } from "../../calls/prepare/call-step.ts";
import { type PreparedObjects, storePrepared } from "../../calls/prepare/store-prepared.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import type { Run } from "../../platform/media/analysis/speech.ts";

/** The parts of a call's sound that are silent in its playback copy. */
export async function findMuted(app: App, { workspaceId, id }: CallRef): Promise<readonly Run[]> {
  const transcript = await inWorkspace(app, workspaceId, (tx) =>
    tx
      .selectFrom("transcript")
      .select("muted")
      .where("workspaceId", "=", workspaceId)
      .where("callId", "=", id)
      .executeTakeFirst(),
  );
  return (transcript?.muted ?? []) as unknown as Run[];
}

interface MakeOptions {
  readonly muted: readonly Run[];
  readonly signal?: AbortSignal | undefined;
}

/** Makes the playback copy and the waveform again, with silence over these parts. Nothing refers to them yet. */
export async function makeMutedCopy(
  app: App,
  { workspaceId }: CallRef,
  recording: PreparableRecording,
  { muted, signal }: MakeOptions,
): Promise<PreparedObjects> {
  const scratch = await app.scratch();
  return scratch.withFolder(async (folder) => {
    const analysed = await analyseRecording(app, recording, { folder, signal, muted });
    return storePrepared(app, workspaceId, analysed);
  });
}
