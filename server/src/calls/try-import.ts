import type { App } from "../platform/app.ts";
import type { Caller } from "../platform/caller.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";
import { findCall } from "./find-call.ts";
import { type CallToImport, type ImportedCall, idOf, newCall } from "./import-call.ts";
import type { PassingRecording } from "./recording.ts";

export interface TryImportInput extends CallToImport {
  readonly recording: Pick<PassingRecording, "recognise">;
}

/** What importing the call would give, with nothing written anywhere. */
export async function tryImport(app: App, { workspaceId }: Caller, input: TryImportInput): Promise<ImportedCall> {
  const recording = input.recording.recognise();
  const id = idOf(workspaceId, input, recording);
  const there = await inWorkspace(app, workspaceId, (tx) => findCall(tx, workspaceId, id)).catch((error) => {
    if (error instanceof AppError && error.code === "call_not_found") return undefined;
    throw error;
  });
  if (there) return { call: there, duplicate: true, erased: false, recording };
  const erased = await inWorkspace(app, workspaceId, (tx) => wasErasedBefore(tx, workspaceId, id));
  return { call: newCall(id, input, recording, new Date()), duplicate: erased, erased, recording };
}

async function wasErasedBefore(tx: Db, workspaceId: string, id: string): Promise<boolean> {
  const erased = tx.selectFrom("erasedCall").select("id").where("workspaceId", "=", workspaceId).where("id", "=", id);
  return (await erased.executeTakeFirst()) !== undefined;
}
