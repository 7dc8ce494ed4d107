import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { keepReviewer } from "../draws/exclusions.ts";
import { findDraw } from "../draws/find-draw.ts";
import type { Staffing } from "../draws/hash-agents.ts";
import { chooseReviewer } from "./choose-reviewer.ts";
import { type AssignmentRow, selectAssignments } from "./find-assignment.ts";

/** The review was voided: its call is to be reviewed again, or replaced if it is not the agent's any longer. */
export async function reopenVoided(tx: Db, workspaceId: string, reviewId: string): Promise<void> {
  const assignments = await selectAssignments(tx, { workspaceId, reviewerId: null, userId: null })
    .where("assignment.reviewId", "=", reviewId)
    .where("assignment.state", "=", "done")
    .execute();
  for (const assignment of assignments) {
    const reason = await findSkipReason(tx, assignment);
    const change = reason
      ? {
          state: "skipped",
          skipReason: reason,
          skipNote: "",
          toReplace: assignment.kind === "first",
        }
      : await findNewReviewer(tx, assignment);
    await tx
      .updateTable("assignment")
      .set({ ...change, reviewId: null, doneAt: null })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", assignment.id)
      .execute();
  }
}

async function findSkipReason(
  tx: Db,
  { workspaceId, callId, agentId }: AssignmentRow,
): Promise<"erased" | "wrong_agent" | undefined> {
  const call = await tx
    .selectFrom("call")
    .select("agentId")
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", callId)
    .executeTakeFirst();
  if (!call) return "erased";
  return call.agentId === agentId ? undefined : "wrong_agent";
}

/** The same reviewer; for a second review another one, because its reviewer has seen the first. With new time to review. */
async function findNewReviewer(tx: Db, assignment: AssignmentRow) {
  const { workspaceId, kind, reviewerId, declinedBy } = assignment;
  const draw = await findDraw(tx, workspaceId, assignment.drawId);
  const { dueDays } = draw.staffing as unknown as Staffing;
  const isSame = kind === "first" && reviewerId !== null && (await keepReviewer(tx, workspaceId, reviewerId));
  const declined = isSame || !reviewerId ? declinedBy : [...new Set([...declinedBy, reviewerId])];
  const next = isSame ? reviewerId : await chooseReviewer(tx, draw, { ...assignment, declinedBy: declined });
  return {
    state: "open",
    reviewerId: next ?? null,
    declinedBy: declined,
    dueAt: sql<Date>`greatest(due_at, now() + make_interval(days => ${dueDays}::int))`,
  };
}
