import type { App } from "../../platform/app.ts";
import type { Caller } from "../../platform/caller.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { AppError } from "../../platform/errors.ts";
import { findCall } from "../call/find-call.ts";
import type { RecordingInspector } from "../objects/receive-recording.ts";
import { type CallToImport, callIdOf, type ImportedCall, newCall } from "./import-call.ts";

export interface DryRunInput extends CallToImport {
  readonly recording: Pick<RecordingInspector, "recognise">;
}

/** Returns what importing the call would return, without writing anything. */
export async function dryRunImport(app: App, { workspaceId }: Caller, input: DryRunInput): Promise<ImportedCall> {
  const recording = input.recording.recognise();
  const id = callIdOf(workspaceId, input, recording);
  const existing = await inWorkspace(app, workspaceId, (tx) => findCall(tx, workspaceId, id)).catch((error) => {
    if (error instanceof AppError && error.code === "call_not_found") return undefined;
    throw error;
  });
  if (existing) return { call: existing, duplicate: true, erased: false, restored: false, recording };
  const erased = await inWorkspace(app, workspaceId, (tx) => wasErasedBefore(tx, workspaceId, id));
  return { call: newCall(id, input, recording, new Date()), duplicate: erased, erased, restored: false, recording };
}

async function wasErasedBefore(tx: Db, workspaceId: string, id: string): Promise<boolean> {
  const erased = tx.selectFrom("erasedCall").select("id").where("workspaceId", "=", workspaceId).where("id", "=", id);
  return (await erased.executeTakeFirst()) !== undefined;
}
