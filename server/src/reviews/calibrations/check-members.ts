import type { Db } from "../../platform/database/database.ts";
import { fieldInvalid } from "../../platform/errors.ts";
import type { ScorecardRow } from "../../scorecards/find-scorecard.ts";
import { ownCall, scorecardNotForCall } from "../errors.ts";
import { keepCall } from "../review/find-review.ts";

interface Members {
  readonly workspaceId: string;
  readonly callIds: readonly string[];
  readonly participantIds: readonly string[];
}

/** Throws if a participant cannot review: unknown, deactivated, or an agent. */
export async function requireReviewers(
  tx: Db,
  { workspaceId, participantIds }: Pick<Members, "workspaceId" | "participantIds">,
  part = "participant_ids",
): Promise<void> {
  const users = await tx
    .selectFrom("appUser")
    .select("id")
    .where("workspaceId", "=", workspaceId)
    .where("id", "in", participantIds)
    .where("role", "in", ["reviewer", "supervisor", "admin"])
    .where("deactivatedAt", "is", null)
    // So that a user who is erased or deactivated meanwhile does not stay a participant.
    .orderBy("id")
    .forShare()
    .execute();
  const known = new Set(users.map(({ id }) => id));
  const unknown = participantIds.find((id) => !known.has(id));
  if (unknown !== undefined)
    throw fieldInvalid(
      part,
      "not_found",
      `${unknown} is not an active reviewer, supervisor or administrator of this workspace.`,
    );
}

/** Throws if a call does not exist or the scorecard is not for it. Prevents the erasure of the calls until the transaction ends. */
export async function requireCalls(
  tx: Db,
  { workspaceId, callIds }: Pick<Members, "workspaceId" | "callIds">,
  { campaignIds }: ScorecardRow,
  part = "call_ids",
): Promise<void> {
  // In the order of ids, so that two transactions do not wait for each other.
  for (const id of callIds.toSorted())
    if (!(await keepCall(tx, workspaceId, id)))
      throw fieldInvalid(part, "not_found", `There is no call ${id} in this workspace.`);
  if (campaignIds.length === 0) return;
  const other = await tx
    .selectFrom("call")
    .select("id")
    .where("workspaceId", "=", workspaceId)
    .where("id", "in", callIds)
    .where("campaignId", "not in", campaignIds)
    .executeTakeFirst();
  if (other) throw scorecardNotForCall("is for other campaigns");
}

/** Throws with the names if participants are the agents of calls: nobody reviews their own call. */
export async function rejectOwnCalls(tx: Db, { workspaceId, callIds, participantIds }: Members): Promise<void> {
  if (callIds.length === 0) return;
  const agents = await tx
    .selectFrom("call")
    .innerJoin("appUser", (join) =>
      join.onRef("appUser.workspaceId", "=", "call.workspaceId").onRef("appUser.id", "=", "call.agentId"),
    )
    .select(["appUser.name", "call.id"])
    .where("call.workspaceId", "=", workspaceId)
    .where("call.id", "in", callIds)
    .where("call.agentId", "in", participantIds)
    .execute();
  if (agents.length === 0) return;
  const names = [...new Set(agents.map(({ name }) => name))].join(", ");
  const calls = agents.map(({ id }) => id).join(", ");
  throw ownCall.withDetail(
    `Participants cannot review their own calls: ${names} (${calls}). Remove the participant or the call.`,
  );
}
