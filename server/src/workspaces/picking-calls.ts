import { sql } from "kysely";

/** SQL condition on `workspace`: reviewers can review any call, not only assigned ones. */
export const reviewersPickCalls = sql<boolean>`coalesce(workspace.settings ->> 'reviewers_pick_calls', 'true') = 'true'`;
