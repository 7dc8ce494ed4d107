import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";

interface Cleaning {
  readonly agentErased: boolean;
  /** Condition on `review`. */
  readonly isKept: RawBuilder<boolean>;
}

/**
 * Removes what is left of calibration sessions after reviews of them were deleted. Closed sessions without reviews are deleted. If the
 * reviews were deleted with their agent, the decisions of the session are deleted as well: they may be about the agent's calls. A
 * session with a review that is kept keeps them.
 */
export async function cleanCalibrations(
  tx: Db,
  workspaceId: string,
  ids: readonly string[],
  { agentErased, isKept }: Cleaning,
): Promise<void> {
  if (ids.length === 0) return;
  const sessions = [...new Set(ids)];
  if (agentErased) {
    await sql`
      delete from calibration_decision as decision
      where workspace_id = ${workspaceId} and calibration_id = any (${sessions}::uuid[])
        and not exists (select from review where review.workspace_id = decision.workspace_id
          and review.calibration_id = decision.calibration_id and ${isKept})`.execute(tx);
    await sql`
      delete from calibration_call as scored
      where workspace_id = ${workspaceId} and calibration_id = any (${sessions}::uuid[]) and erased_at is not null
        and not exists (select from review where review.workspace_id = scored.workspace_id
          and review.calibration_id = scored.calibration_id and review.call_id = scored.call_id)`.execute(tx);
  }
  await sql`
    delete from calibration as session
    where workspace_id = ${workspaceId} and id = any (${sessions}::uuid[]) and state = 'closed'
      and not exists (select from review where review.workspace_id = session.workspace_id
        and review.calibration_id = session.id)`.execute(tx);
}
