import type { Selectable } from "kysely";
import type { Caller } from "../platform/caller.ts";
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
  if (!call) throw callNotFound();
  return call;
}

export const callNotFound = () => new AppError("call_not_found", "There is no such call in this workspace.");

/** Who looks at a call: a key may be restricted to some campaigns, an agent sees their own. */
export type CallViewer = Pick<Caller, "workspaceId" | "campaignIds" | "agentId">;

/** Whoever runs the installation, and its jobs. */
export const anyCallOf = (workspaceId: string): CallViewer => ({ workspaceId, campaignIds: null, agentId: null });

/** The call, if the viewer may know of it. One that is not theirs is like one that is not there. */
export async function findKnownCall(db: Db, viewer: CallViewer, id: string): Promise<StoredCall> {
  const call = await findCall(db, viewer.workspaceId, id);
  if (viewer.campaignIds && !viewer.campaignIds.includes(call.campaignId)) throw callNotFound();
  if (viewer.agentId && viewer.agentId !== call.agentId) throw callNotFound();
  return call;
}

/** The same, and nobody else changes it until the transaction ends. Rows that only refer to it can still be written. */
export async function lockKnownCall(tx: Db, viewer: CallViewer, id: string): Promise<StoredCall> {
  const known = await findKnownCall(tx, viewer, id);
  await tx
    .selectFrom("call")
    .select("id")
    .where("workspaceId", "=", viewer.workspaceId)
    .where("id", "=", known.id)
    .forNoKeyUpdate()
    .execute();
  // Read again: what was read before may have changed while we waited.
  return findKnownCall(tx, viewer, id);
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
