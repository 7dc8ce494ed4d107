import { callNotFound } from "../calls/errors.ts";
import { campaignNotFound } from "../campaigns/errors.ts";
import type { Db } from "../platform/database/database.ts";
import { isUuid } from "../platform/is-uuid.ts";
import { agentNotFound } from "../users/errors.ts";

/** The subject of a legal hold or an erasure. */
export interface Subject {
  readonly type: "call" | "agent" | "campaign";
  readonly id: string;
}

const tables = { call: "call", agent: "appUser", campaign: "campaign" } as const;
const errors = { call: callNotFound, agent: agentNotFound, campaign: campaignNotFound } as const;

/** Throws if the subject does not exist. */
export async function requireSubject(tx: Db, workspaceId: string, { type, id }: Subject): Promise<void> {
  const found =
    (type === "campaign" || isUuid(id)) &&
    (await tx
      .selectFrom(tables[type])
      .select("id")
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .executeTakeFirst());
  if (!found) throw errors[type].withDetail(`There is no such ${type} in this workspace.`);
}
