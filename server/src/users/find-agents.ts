import { emailKey } from "@hearback/contract";
import type { Db } from "../platform/database/database.ts";
import { prepared } from "../platform/database/prepared.ts";
import { isUuid } from "../platform/is-uuid.ts";

/** The ids of users by their e-mail address, as it is compared. Who is unknown is left out. */
export async function findAgentsByEmail(
  tx: Db,
  workspaceId: string,
  emails: Iterable<string>,
): Promise<Map<string, string>> {
  const keys = [...new Set([...emails].map(emailKey))];
  if (keys.length === 0) return new Map();
  const rows = await prepared<{ id: string; emailKey: string }>(tx, "find-agents")`
    select id, email_key from app_user where workspace_id = ${workspaceId}::uuid and email_key = any (${keys}::text[])`;
  return new Map(rows.map((row) => [row.emailKey, row.id]));
}

/** Agents named by id or e-mail address, as ids. An id is taken as it is: who is unknown has no calls. */
export async function findAgentIds(tx: Db, workspaceId: string, named: readonly string[]): Promise<string[]> {
  const ids = named.map((name) => name.toLowerCase()).filter(isUuid);
  const emails = named.filter((name) => !isUuid(name.toLowerCase()));
  const found = await findAgentsByEmail(tx, workspaceId, emails);
  return [...new Set([...ids, ...found.values()])];
}
