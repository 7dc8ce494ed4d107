import type { DrawRules } from "@hearback/draws/rules";
import { type RawBuilder, sql } from "kysely";
import { metadataIndexValue } from "../calls/call/metadata-index-value.ts";

/** Condition on `call`: the rules of a plan match it. */
export function isMatching(workspaceId: string, rules: DrawRules): RawBuilder<boolean> {
  const { campaign_ids, team_ids, min_duration_s, max_duration_s, metadata } = rules;
  const conditions = [
    sql`call.status = 'ready'`,
    ...(campaign_ids.length > 0 ? [sql`call.campaign_id = any (${[...campaign_ids]}::text[])`] : []),
    ...(team_ids.length > 0
      ? [
          sql`exists (select from app_user where app_user.workspace_id = ${workspaceId} and app_user.id = call.agent_id
            and app_user.team_id = any (${[...team_ids]}::uuid[]))`,
        ]
      : []),
    ...(min_duration_s !== null ? [sql`call.duration_ms >= ${min_duration_s * 1000}`] : []),
    ...(max_duration_s !== null ? [sql`call.duration_ms <= ${max_duration_s * 1000}`] : []),
    // A scalar subquery: PostgreSQL may turn "exists" into a hash join over all metadata entries.
    ...metadata.map(
      ({ key, value }) => sql`(select true from call_metadata as entry where entry.workspace_id = ${workspaceId}
        and entry.key = ${key} and entry.value = ${metadataIndexValue(value)} and entry.call_id = call.id limit 1)`,
    ),
  ];
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}
