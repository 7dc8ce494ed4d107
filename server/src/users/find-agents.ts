import { emailKey } from "@hearback/contract";
import type { Db } from "../platform/database/database.ts";
import { preparedStatement } from "../platform/database/prepared-statement.ts";
import { isUuid } from "../platform/is-uuid.ts";

interface FoundUser {
  readonly id: string;
  /** Whether the user is or was an agent, so that calls can be theirs. */
  readonly isAgent: boolean;
}

/** Maps email keys to users. Unknown email addresses are omitted. */
export async function findUsersByEmail(
  tx: Db,
  workspaceId: string,
  emails: Iterable<string>,
): Promise<Map<string, FoundUser>> {
  const keys = [...new Set([...emails].map(emailKey))];
  if (keys.length === 0) return new Map();
  const rows = await preparedStatement<FoundUser & { emailKey: string }>(tx, "find-users-by-email")`
    select id, email_key, role = 'agent' or former_agent as is_agent from app_user where workspace_id = ${workspaceId}::uuid and email_key = any (${keys}::text[])`;
  return new Map(rows.map((row) => [row.emailKey, row]));
}

/** Resolves ids and email addresses to ids. Ids are not checked: an unknown id matches no calls. */
export async function findAgentIds(tx: Db, workspaceId: string, refs: readonly string[]): Promise<string[]> {
  const ids = refs.map((ref) => ref.toLowerCase()).filter(isUuid);
  const emails = refs.filter((ref) => !isUuid(ref.toLowerCase()));
  const found = await findUsersByEmail(tx, workspaceId, emails);
  return [...new Set([...ids, ...[...found.values()].map(({ id }) => id)])];
}
