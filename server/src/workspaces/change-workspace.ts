import type { WorkspaceSettings } from "@hearback/contract";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { changedFields, type Given } from "../platform/changed-fields.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { hasTranscriber } from "../platform/has-transcriber.ts";
import { runHandlers } from "../platform/hooks.ts";
import { transcriptionNotConfigured } from "./errors.ts";
import { findWorkspace } from "./find-workspace.ts";
import { passwordsTurnedOff } from "./hooks.ts";
import { requireProviderAdmin } from "./require-provider-admin.ts";
import { toWorkspaceBody, type Workspace } from "./workspace-body.ts";

export interface WorkspaceChange {
  readonly name?: string | undefined;
  /** Omitted settings stay unchanged. */
  readonly settings?: Given<WorkspaceSettings> | undefined;
}

/** Updates the given fields that differ. */
export async function changeWorkspace(app: App, by: WorkspaceActor, change: WorkspaceChange): Promise<Workspace> {
  const { workspaceId, actor } = by;
  return inWorkspace(app, workspaceId, async (tx) => {
    const before = await findWorkspace(tx, workspaceId, { lock: true });
    const name = changedFields(before, { name: change.name });
    const settings = changedFields(toWorkspaceBody(before).settings, change.settings ?? {});
    const changed = [...Object.keys(name), ...Object.keys(settings)];
    if (changed.length === 0) return before;
    if (settings.transcription && !hasTranscriber(app)) throw transcriptionNotConfigured();
    const turnsPasswordsOff = settings.password_sign_in === false;
    if (turnsPasswordsOff) await requireProviderAdmin(app, tx, workspaceId);
    const previous = before.settings as Record<string, unknown>;
    const workspace = await tx
      .updateTable("workspace")
      .set({ ...name, settings: JSON.stringify({ ...previous, ...settings }) })
      .where("id", "=", workspaceId)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (turnsPasswordsOff) await runHandlers(app, tx, passwordsTurnedOff, { workspaceId });
    const subject = { type: "workspace", id: workspaceId };
    await recordAuditEntry(tx, workspaceId, { actor, action: "workspace.changed", subject, data: { changed } });
    return workspace;
  });
}
