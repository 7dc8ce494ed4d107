import type { TeamBody } from "@hearback/contract";
import { sql } from "kysely";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { fieldInvalid } from "../platform/errors.ts";
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

export interface TeamChange {
  readonly name?: string | undefined;
  readonly leadId?: string | null | undefined;
}

export async function changeTeam(app: App, by: WorkspaceActor, id: string, change: TeamChange): Promise<TeamBody> {
  const { workspaceId, actor } = by;
  return inWorkspace(app, workspaceId, async (tx) => {
    await lockTeams(tx, workspaceId);
    const before = await findTeam(tx, workspaceId, id);
    const { name = before.name, leadId = before.lead_id } = change;
    const changed = [...(name !== before.name ? ["name"] : []), ...(leadId !== before.lead_id ? ["lead_id"] : [])];
    if (changed.length === 0) return before;
    await requireFreeName(tx, workspaceId, name, id);
    if (leadId !== null && leadId !== before.lead_id) await requireLead(tx, workspaceId, leadId);
    await tx
      .updateTable("team")
      .set({ name, nameKey: teamNameKey(name), leadId })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .execute();
    const subject = { type: "team", id };
    await recordAuditEntry(tx, workspaceId, { actor, action: "team.changed", subject, data: { changed } });
    return { ...before, name, lead_id: leadId };
  });
}

async function requireLead(tx: Db, workspaceId: string, userId: string): Promise<void> {
  const user = await tx
    .selectFrom("appUser")
    .select("id")
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", userId)
    .where("deactivatedAt", "is", null)
    .executeTakeFirst();
  if (!user) throw fieldInvalid("lead_id", "unknown", "must be the id of an active user of this workspace");
}

async function requireFreeName(tx: Db, workspaceId: string, name: string, ownId?: string): Promise<void> {
  const existing = await findTeamByName(tx, workspaceId, teamNameKey(name));
  if (existing && existing.id !== ownId) throw teamExists(existing);
}
