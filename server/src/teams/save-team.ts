import type { TeamBody } from "@hearback/contract";
import { sql } from "kysely";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { newUuidV7 } from "../platform/uuid-v7.ts";
import { teamExists, teamLimitReached } from "./errors.ts";
import { findTeam, findTeamByName, maxTeams, teamNameKey } from "./find-teams.ts";

/** Serialises changes of the teams of a workspace, so that they cannot exceed the limit or take the same name together. */
const lockTeams = (tx: Db, workspaceId: string) =>
  sql`select pg_advisory_xact_lock(hashtext('hearback.teams'), hashtext(${workspaceId}))`.execute(tx);

export async function createTeam(app: App, by: WorkspaceActor, name: string): Promise<TeamBody> {
  const { workspaceId, actor } = by;
  return inWorkspace(app, workspaceId, async (tx) => {
    await lockTeams(tx, workspaceId);
    await requireFreeName(tx, workspaceId, name);
    const { count } = await tx
      .selectFrom("team")
      .select((rows) => rows.fn.countAll<number>().as("count"))
      .where("workspaceId", "=", workspaceId)
      .executeTakeFirstOrThrow();
    if (count >= maxTeams) throw teamLimitReached(maxTeams);
    const id = newUuidV7();
    await tx
      .insertInto("team")
      .values({ workspaceId, id, name, nameKey: teamNameKey(name) })
      .execute();
    const team = await findTeam(tx, workspaceId, id);
    await recordAuditEntry(tx, workspaceId, { actor, action: "team.created", subject: { type: "team", id } });
    return team;
  });
}

export async function renameTeam(app: App, by: WorkspaceActor, id: string, name: string | undefined) {
  const { workspaceId, actor } = by;
  return inWorkspace(app, workspaceId, async (tx) => {
    await lockTeams(tx, workspaceId);
    const before = await findTeam(tx, workspaceId, id);
    if (name === undefined || name === before.name) return before;
    await requireFreeName(tx, workspaceId, name, id);
    await tx
      .updateTable("team")
      .set({ name, nameKey: teamNameKey(name) })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .execute();
    const subject = { type: "team", id };
    await recordAuditEntry(tx, workspaceId, { actor, action: "team.changed", subject, data: { changed: ["name"] } });
    return { ...before, name };
  });
}

async function requireFreeName(tx: Db, workspaceId: string, name: string, ownId?: string): Promise<void> {
  const existing = await findTeamByName(tx, workspaceId, teamNameKey(name));
  if (existing && existing.id !== ownId) throw teamExists(existing);
}
