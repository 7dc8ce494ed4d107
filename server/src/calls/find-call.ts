import type { Selectable } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { Call } from "../platform/database/tables.ts";

export type StoredCall = Selectable<Call> & { readonly agentEmail: string; readonly agentName: string };

export async function findCall(db: Db, workspaceId: string, id: string): Promise<StoredCall> {
  return db
    .selectFrom("call")
    .innerJoin("appUser", (join) =>
      join.onRef("appUser.workspaceId", "=", "call.workspaceId").onRef("appUser.id", "=", "call.agentId"),
    )
    .selectAll("call")
    .select(["appUser.email as agentEmail", "appUser.name as agentName"])
    .where("call.workspaceId", "=", workspaceId)
    .where("call.id", "=", id)
    .executeTakeFirstOrThrow();
}
