import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { findTeam } from "./find-teams.ts";

/** Deletes a team. Its members have no team afterwards; reviews keep the id of the team that they were made in. */
export async function deleteTeam(app: App, { workspaceId, actor }: WorkspaceActor, id: string): Promise<void> {
  await inWorkspace(app, workspaceId, async (tx) => {
    const team = await findTeam(tx, workspaceId, id);
    await tx
      .updateTable("appUser")
      .set({ teamId: null })
      .where("workspaceId", "=", workspaceId)
      .where("teamId", "=", id)
      .execute();
    await tx.deleteFrom("team").where("workspaceId", "=", workspaceId).where("id", "=", id).execute();
    const data = { members: team.members };
    await recordAuditEntry(tx, workspaceId, { actor, action: "team.deleted", subject: { type: "team", id }, data });
  });
}
