import type { WorkspaceSettings } from "@hearback/contract";
import { record } from "../audit/record.ts";
import type { Acting } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { differences, type Given } from "../platform/differences.ts";
import { findWorkspace } from "./find-workspace.ts";
import { toWorkspaceBody, type Workspace } from "./workspace-body.ts";

export interface WorkspaceChange {
  readonly name?: string | undefined;
  /** Those that are given are changed, and no other. */
  readonly settings?: Given<WorkspaceSettings> | undefined;
}

/** Changes what is given and differs. */
export async function changeWorkspace(app: App, by: Acting, change: WorkspaceChange): Promise<Workspace> {
  const { workspaceId, actor } = by;
  return inWorkspace(app, workspaceId, async (tx) => {
    const before = await findWorkspace(tx, workspaceId, { lock: true });
    const name = differences(before, { name: change.name });
    const settings = differences(toWorkspaceBody(before).settings, change.settings ?? {});
    const changed = [...Object.keys(name), ...Object.keys(settings)];
    if (changed.length === 0) return before;
    const kept = before.settings as Record<string, unknown>;
    const workspace = await tx
      .updateTable("workspace")
      .set({ ...name, settings: JSON.stringify({ ...kept, ...settings }) })
      .where("id", "=", workspaceId)
      .returningAll()
      .executeTakeFirstOrThrow();
    const subject = { type: "workspace", id: workspaceId };
    await record(tx, workspaceId, { actor, action: "workspace.changed", subject, data: { changed } });
    return workspace;
  });
}
