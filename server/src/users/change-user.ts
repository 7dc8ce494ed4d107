import type { Role } from "@hearback/contract";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import { emitEvent } from "../events/emit-event.ts";
import type { WorkspaceActor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { changedFields } from "../platform/changed-fields.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { runHandlers } from "../platform/hooks.ts";
import { lockTeam } from "../teams/find-teams.ts";
import { removeLead } from "../teams/remove-lead.ts";
import { endLinks } from "./access-links.ts";
import { findUser } from "./find-user.ts";
import { reviewerLeft, userDeactivated } from "./hooks.ts";
import { lockAdmins } from "./lock-admins.ts";
import { signInMethods } from "./sign-in-methods.ts";
import type { User } from "./user-body.ts";

export interface UserChange {
  readonly name?: string | undefined;
  readonly role?: Role | undefined;
  /** A deactivated user keeps their calls and email address. */
  readonly deactivated?: boolean | undefined;
  /** null: no team. */
  readonly teamId?: string | null | undefined;
  /** Whether the user may hear original recordings in campaigns whose sound is masked. */
  readonly listensToOriginals?: boolean | undefined;
}

const wireNames: Readonly<Record<string, string>> = {
  name: "name",
  role: "role",
  deactivatedAt: "deactivated",
  teamId: "team_id",
  listensToOriginals: "listens_to_originals",
};

/** Updates the given fields that differ. Former agents stay assignable, because older calls may still be imported. */
export async function changeUser(app: App, by: WorkspaceActor, id: string, change: UserChange): Promise<User> {
  const { workspaceId, actor } = by;
  const { name, role, deactivated, teamId, listensToOriginals } = change;
  return inWorkspace(app, workspaceId, async (tx) => {
    const reducesAccess = actor.type === "user" && (role || deactivated);
    const requireAnotherAdmin = reducesAccess ? await lockAdmins(app, tx, workspaceId) : undefined;
    const before = await findUser(tx, workspaceId, id, { lock: true });
    const deactivatedAt =
      deactivated === undefined ? undefined : deactivated ? (before.deactivatedAt ?? new Date()) : null;
    const values = changedFields(before, { name, role, deactivatedAt, teamId, listensToOriginals });
    const changed = Object.keys(values).map((column) => wireNames[column] ?? column);
    if (changed.length === 0) return before;
    if (values.role || values.deactivatedAt) requireAnotherAdmin?.(id);
    if (values.teamId) await lockTeam(tx, workspaceId, values.teamId, "share");
    const user = await tx
      .updateTable("appUser")
      .set({ ...values, ...(values.role && { formerAgent: before.formerAgent || before.role === "agent" }) })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .returningAll()
      .returning(signInMethods)
      .executeTakeFirstOrThrow();
    // After a reactivation, old sessions and links must not work.
    if (values.deactivatedAt || values.role === "agent") {
      await runHandlers(app, tx, reviewerLeft, { workspaceId, userId: id });
      await removeLead(tx, workspaceId, id);
    }
    if (values.deactivatedAt) {
      await endLinks(tx, workspaceId, id);
      await runHandlers(app, tx, userDeactivated, { workspaceId, userId: id, by });
    }
    await emitEvent(tx, { workspaceId, type: "user.changed", data: { user_id: id, changed } });
    const action = values.deactivatedAt ? "user.deactivated" : "user.changed";
    const originals = "listensToOriginals" in values && { listens_to_originals: user.listensToOriginals };
    const data = { changed, ...originals };
    await recordAuditEntry(tx, workspaceId, { actor, action, subject: { type: "user", id }, data });
    return user;
  });
}
