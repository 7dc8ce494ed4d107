import { sql } from "kysely";
import type { Caller } from "../platform/caller.ts";
import type { Db } from "../platform/database/database.ts";
import { downloadForbidden } from "./errors.ts";

/** SQL condition on `workspace`: agents can download original recordings. */
export const agentsCanDownload = sql<boolean>`coalesce(workspace.settings ->> 'agents_can_download', 'false') = 'true'`;

/** Throws if the caller can play calls but not download recordings. */
export async function requireDownload(tx: Db, caller: Caller): Promise<void> {
  if (caller.kind === "key" || caller.role !== "agent") return;
  const workspace = await tx
    .selectFrom("workspace")
    .select(agentsCanDownload.as("allowed"))
    .where("id", "=", caller.workspaceId)
    .executeTakeFirst();
  if (!workspace?.allowed) throw downloadForbidden();
}
