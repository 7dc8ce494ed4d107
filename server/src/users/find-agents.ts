import { emailKey } from "@hearback/contract";
import type { Db } from "../platform/database/database.ts";
import { preparedStatement } from "../platform/database/prepared-statement.ts";
import { isUuid } from "../platform/is-uuid.ts";

/** Maps email keys to user ids. Unknown email addresses are omitted. */
export async function findAgentsByEmail(
  tx: Db,
  workspaceId: string,
  emails: Iterable<string>,
): Promise<Map<string, string>> {
  const keys = [...new Set([...emails].map(emailKey))];
  if (keys.length === 0) return new Map();
  const rows = await preparedStatement<{ id: string; emailKey: string }>(tx, "find-agents")`
    select id, email_key from app_user where workspace_id = ${workspaceId}::uuid and email_key = any (${keys}::text[])`;
  return new Map(rows.map((row) => [row.emailKey, row.id]));
}

/** Resolves ids and email addresses to ids. Ids are not checked: an unknown id matches no calls. */
export async function findAgentIds(tx: Db, workspaceId: string, refs: readonly string[]): Promise<string[]> {
  const ids = refs.map((ref) => ref.toLowerCase()).filter(isUuid);
  const emails = refs.filter((ref) => !isUuid(ref.toLowerCase()));
  const found = await findAgentsByEmail(tx, workspaceId, emails);
  return [...new Set([...ids, ...found.values()])];
}
