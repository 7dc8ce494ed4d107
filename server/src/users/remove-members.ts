import { emitEvents } from "../events/emit-event.ts";
import { onHook } from "../platform/hooks.ts";
import { teamDeleted } from "../teams/hooks.ts";

/** The members of a deleted team have no team. */
export const removeMembers = onHook(teamDeleted, async (tx, { workspaceId, teamId }) => {
  const members = await tx
    .updateTable("appUser")
    .set({ teamId: null })
    .where("workspaceId", "=", workspaceId)
    .where("teamId", "=", teamId)
    .returning("id")
    .execute();
  const data = members.map(({ id }) => ({ user_id: id, changed: ["team_id"] }));
  await emitEvents(tx, { workspaceId, type: "user.changed", data });
});
