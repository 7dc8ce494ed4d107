import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { runHandlers } from "../platform/hooks.ts";
import { lockTeam } from "./find-teams.ts";
import { teamDeleted } from "./hooks.ts";

/** Deletes a team. Its members have no team afterwards; reviews keep the id of the team that they were made in. */
export async function deleteTeam(app: App, { workspaceId, actor }: WorkspaceActor, id: string): Promise<void> {
  await inWorkspace(app, workspaceId, async (tx) => {
    await lockTeam(tx, workspaceId, id, "update");
    const { members } = await tx
      .selectFrom("appUser")
      .select((rows) => rows.fn.countAll<number>().as("members"))
      .where("workspaceId", "=", workspaceId)
      .where("teamId", "=", id)
      .executeTakeFirstOrThrow();
    await runHandlers(app, tx, teamDeleted, { workspaceId, teamId: id });
    await tx.deleteFrom("team").where("workspaceId", "=", workspaceId).where("id", "=", id).execute();
    const subject = { type: "team", id };
    await recordAuditEntry(tx, workspaceId, { actor, action: "team.deleted", subject, data: { members } });
  });
}
