import type { Selectable } from "kysely";
import type { Caller } from "../../platform/caller.ts";
import type { Db } from "../../platform/database/database.ts";
import type { Call } from "../../platform/database/tables.ts";
import { isUuid } from "../../platform/is-uuid.ts";
import { callNotFound } from "../errors.ts";

export type StoredCall = Selectable<Call> & {
  readonly agentEmail: string;
  readonly agentName: string;
  /** The campaign's default for the agent's channel. */
  readonly campaignAgentChannel: string | null;
};

export async function findCall(db: Db, workspaceId: string, id: string): Promise<StoredCall> {
  const call = isUuid(id) && (await selectCall(db, workspaceId, id));
  if (!call) throw callNotFound();
  return call;
}

/** Restricts which calls are visible: API keys may be limited to some campaigns, agents to their own calls. */
export type CallViewer = Pick<Caller, "workspaceId" | "campaignIds" | "agentId">;

/** For background jobs and operator commands, which see every call of the workspace. */
export const unrestrictedViewer = (workspaceId: string): CallViewer => ({
  workspaceId,
  campaignIds: null,
  agentId: null,
});

/** Returns the call if the viewer may see it. Throws the same error for hidden and for unknown calls. */
export async function findVisibleCall(db: Db, viewer: CallViewer, id: string): Promise<StoredCall> {
  const call = await findCall(db, viewer.workspaceId, id);
  if (viewer.campaignIds && !viewer.campaignIds.includes(call.campaignId)) throw callNotFound();
  if (viewer.agentId && viewer.agentId !== call.agentId) throw callNotFound();
  return call;
}

/** Like `findVisibleCall`, with a row lock until the transaction ends. Rows that reference the call can still be inserted. */
export async function lockVisibleCall(tx: Db, viewer: CallViewer, id: string): Promise<StoredCall> {
  const known = await findVisibleCall(tx, viewer, id);
  await tx
    .selectFrom("call")
    .select("id")
    .where("workspaceId", "=", viewer.workspaceId)
    .where("id", "=", known.id)
    .forNoKeyUpdate()
    .execute();
  // Read again: the call may have changed while this transaction waited for the lock.
  return findVisibleCall(tx, viewer, id);
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
