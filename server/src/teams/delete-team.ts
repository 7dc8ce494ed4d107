import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import { emitEvents } from "../events/emit-event.ts";
import type { WorkspaceActor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { lockTeam } from "./find-teams.ts";

/** Deletes a team. Its members have no team afterwards; reviews keep the id of the team that they were made in. */
export async function deleteTeam(app: App, { workspaceId, actor }: WorkspaceActor, id: string): Promise<void> {
  await inWorkspace(app, workspaceId, async (tx) => {
    await lockTeam(tx, workspaceId, id, "update");
    const members = await tx
      .updateTable("appUser")
      .set({ teamId: null })
      .where("workspaceId", "=", workspaceId)
      .where("teamId", "=", id)
      .returning("id")
      .execute();
    await tx.deleteFrom("team").where("workspaceId", "=", workspaceId).where("id", "=", id).execute();
    const changes = members.map((user) => ({ user_id: user.id, changed: ["team_id"] }));
    await emitEvents(tx, { workspaceId, type: "user.changed", data: changes });
    const data = { members: members.length };
    await recordAuditEntry(tx, workspaceId, { actor, action: "team.deleted", subject: { type: "team", id }, data });
  });
}
