import type { Selectable } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { Call } from "../platform/database/tables.ts";
import { AppError } from "../platform/errors.ts";
import { isUuid } from "../platform/is-uuid.ts";

export type StoredCall = Selectable<Call> & {
  readonly agentEmail: string;
  readonly agentName: string;
  /** Where the campaign says that the agent is. */
  readonly campaignAgentChannel: string | null;
};

export async function findCall(db: Db, workspaceId: string, id: string): Promise<StoredCall> {
  const call = isUuid(id) && (await selectCall(db, workspaceId, id));
  if (!call) throw new AppError("call_not_found", "There is no such call in this workspace.");
  return call;
}

async function selectCall(db: Db, workspaceId: string, id: string): Promise<StoredCall | undefined> {
  return db
    .selectFrom("call")
    .innerJoin("appUser", (join) =>
      join.onRef("appUser.workspaceId", "=", "call.workspaceId").onRef("appUser.id", "=", "call.agentId"),
    )
    .innerJoin("campaign", (join) =>
      join.onRef("campaign.workspaceId", "=", "call.workspaceId").onRef("campaign.id", "=", "call.campaignId"),
    )
    .selectAll("call")
    .select([
      "appUser.email as agentEmail",
      "appUser.name as agentName",
      "campaign.agentChannel as campaignAgentChannel",
    ])
    .where("call.workspaceId", "=", workspaceId)
    .where("call.id", "=", id)
    .executeTakeFirst();
}
