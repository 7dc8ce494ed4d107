import type { TeamBody } from "@hearback/contract";
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { DB } from "../platform/database/tables.ts";
import { isUuid } from "../platform/is-uuid.ts";
import { teamNotFound } from "./errors.ts";

export const maxTeams = 500;

type Condition = (team: ExpressionBuilder<DB, "team">) => Expression<SqlBool>;

async function readTeams(tx: Db, workspaceId: string, condition?: Condition): Promise<TeamBody[]> {
  const teams = await tx
    .selectFrom("team")
    .select(["id", "name", "leadId", "createdAt"])
    .select((team) =>
      team
        .selectFrom("appUser")
        .select(sql<number>`count(*)::int`.as("count"))
        .whereRef("appUser.workspaceId", "=", "team.workspaceId")
        .whereRef("appUser.teamId", "=", "team.id")
        .as("members"),
    )
    .where("workspaceId", "=", workspaceId)
    .$if(condition !== undefined, (rows) => rows.where(condition as Condition))
    .orderBy("nameKey")
    .limit(maxTeams)
    .execute();
  return teams.map(({ id, name, members, leadId, createdAt }) => ({
    id,
    name,
    members: members ?? 0,
    lead_id: leadId,
    created_at: createdAt.toISOString(),
  }));
}

/** Lists the teams of a workspace, ordered by name. */
export const listTeams = (tx: Db, workspaceId: string): Promise<TeamBody[]> => readTeams(tx, workspaceId);

export async function findTeam(tx: Db, workspaceId: string, id: string): Promise<TeamBody> {
  const [team] = isUuid(id) ? await readTeams(tx, workspaceId, (rows) => rows("id", "=", id)) : [];
  if (!team) throw teamNotFound(id);
  return team;
}

/** Throws if the team does not exist. Otherwise it cannot be deleted (share) or joined (update) until the transaction ends. */
export async function lockTeam(tx: Db, workspaceId: string, id: string, lock: "share" | "update"): Promise<void> {
  const rows = tx.selectFrom("team").select("id").where("workspaceId", "=", workspaceId).where("id", "=", id);
  const found = isUuid(id)
    ? await (lock === "share" ? rows.forKeyShare() : rows.forUpdate()).executeTakeFirst()
    : undefined;
  if (!found) throw teamNotFound(id);
}

export async function findTeamByName(tx: Db, workspaceId: string, key: string): Promise<TeamBody | undefined> {
  const [team] = await readTeams(tx, workspaceId, (rows) => rows("nameKey", "=", key));
  return team;
}

/** Normalises a name for comparison. */
export const teamNameKey = (name: string) => name.trim().toLowerCase();
