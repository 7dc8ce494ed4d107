import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";

interface Choice {
  readonly workspaceId: string;
  readonly scorecardId: string;
  /** The reviewer, the agent, and those who decided an earlier dispute of the review. */
  readonly excluded: readonly string[];
}

/** The user who decides a dispute, in turn. Undefined: nobody can. */
export async function chooseArbiter(tx: Db, choice: Choice): Promise<string | undefined> {
  const { workspaceId } = choice;
  // Serialises the choice, so that two disputes at once do not get the same arbiter.
  await sql`select pg_advisory_xact_lock(hashtext('hearback.arbiters'), hashtext(${workspaceId}))`.execute(tx);
  for (const excluded = [...choice.excluded]; ; ) {
    const id = await findNext(tx, { ...choice, excluded });
    if (id === undefined || (await keepActive(tx, workspaceId, id))) return id;
    excluded.push(id);
  }
}

/** Prevents the deactivation of a user until the transaction ends. Returns false if they are deactivated already. */
async function keepActive(tx: Db, workspaceId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from app_user where workspace_id = ${workspaceId} and id = ${id} and deactivated_at is null for share`.execute(
    tx,
  );
  return rows.length > 0;
}

/**
 * Of the scorecard's arbiters or, if it has none, of all supervisors and administrators, the one whose last dispute is the
 * oldest.
 */
async function findNext(tx: Db, { workspaceId, scorecardId, excluded }: Choice): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    with named as materialized (
      select user_id as id from scorecard_arbiter where workspace_id = ${workspaceId} and scorecard_id = ${scorecardId}
    ), candidate as (
      select id from named
      union all
      select id from app_user where workspace_id = ${workspaceId} and role in ('supervisor', 'admin')
        and deactivated_at is null and not exists (select from named)
    )
    select candidate.id from candidate
    left join lateral (
      select dispute.id as last from dispute where workspace_id = ${workspaceId} and arbiter_id = candidate.id
      order by dispute.id desc limit 1
    ) as turn on true
    where candidate.id <> all (${[...excluded]}::uuid[])
    order by turn.last nulls first, candidate.id limit 1`.execute(tx);
  return rows[0]?.id;
}
