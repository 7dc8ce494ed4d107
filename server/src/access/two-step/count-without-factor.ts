import type { TwoStepCountsBody } from "@hearback/contract";
import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";

/** Counts active users with a password and no second factor. */
export async function countWithoutFactor(tx: Db, workspaceId: string): Promise<TwoStepCountsBody> {
  const { rows } = await sql<{ admins: number; all: number }>`
    select count(*) filter (where u.role = 'admin')::int as admins, count(*)::int as all
    from app_user as u
    join credential as c on c.workspace_id = u.workspace_id and c.user_id = u.id
    where u.workspace_id = ${workspaceId} and u.deactivated_at is null
      and not exists (select from totp_factor as t
        where t.workspace_id = u.workspace_id and t.user_id = u.id and t.confirmed_at is not null)
      and not exists (select from passkey as p where p.workspace_id = u.workspace_id and p.user_id = u.id)`.execute(tx);
  return rows[0] ?? { admins: 0, all: 0 };
}
