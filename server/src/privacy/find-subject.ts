import type { Db } from "../platform/database/database.ts";
import { AppError } from "../platform/errors.ts";
import { isUuid } from "../platform/is-uuid.ts";

/** Something that can be held or erased. */
export interface Subject {
  readonly type: "call" | "agent" | "campaign";
  readonly id: string;
}

const tables = { call: "call", agent: "appUser", campaign: "campaign" } as const;
const refusals = { call: "call_not_found", agent: "agent_not_found", campaign: "campaign_not_found" } as const;

/** Refuses what is not there. */
export async function findSubject(tx: Db, workspaceId: string, { type, id }: Subject): Promise<void> {
  const found =
    (type === "campaign" || isUuid(id)) &&
    (await tx
      .selectFrom(tables[type])
      .select("id")
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .executeTakeFirst());
  if (!found) throw new AppError(refusals[type], `There is no such ${type} in this workspace.`);
}
