import type { Role } from "@hearback/contract";
import { record } from "../audit/record.ts";
import { announce } from "../events/announce.ts";
import type { Acting } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { differences } from "../platform/differences.ts";
import { endSessions } from "./end-sessions.ts";
import { findUser } from "./find-user.ts";
import { lockAdmins } from "./lock-admins.ts";
import { endLinks } from "./make-link.ts";
import type { User } from "./user-body.ts";

export interface UserChange {
  readonly name?: string | undefined;
  readonly role?: Role | undefined;
  /** Does not work here any more. The calls stay, and the address stays taken. */
  readonly deactivated?: boolean | undefined;
}

const wireNames: Readonly<Record<string, string>> = { name: "name", role: "role", deactivatedAt: "deactivated" };

/** Changes what is given and differs. Whoever was an agent stays attributable: calls of that time may still come. */
export async function changeUser(app: App, by: Acting, id: string, change: UserChange): Promise<User> {
  const { workspaceId, actor } = by;
  const { name, role, deactivated } = change;
  return inWorkspace(app, workspaceId, async (tx) => {
    const lessens = actor.type === "user" && (role || deactivated);
    const keepAnAdmin = lessens ? await lockAdmins(app, tx, workspaceId) : undefined;
    const before = await findUser(tx, workspaceId, id, { lock: true });
    const deactivatedAt =
      deactivated === undefined ? undefined : deactivated ? (before.deactivatedAt ?? new Date()) : null;
    const values = differences(before, { name, role, deactivatedAt });
    const changed = Object.keys(values).map((column) => wireNames[column] ?? column);
    if (changed.length === 0) return before;
    if (values.role || values.deactivatedAt) keepAnAdmin?.(id);
    const user = await tx
      .updateTable("appUser")
      .set({ ...values, ...(values.role && { formerAgent: before.formerAgent || before.role === "agent" }) })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    // Should they come back, they sign in anew, and not by a link of before.
    if (values.deactivatedAt) {
      await endSessions(tx, workspaceId, id);
      await endLinks(tx, workspaceId, id);
    }
    await announce(tx, { workspaceId, type: "user.changed", data: { user_id: id, changed } });
    const action = values.deactivatedAt ? "user.deactivated" : "user.changed";
    await record(tx, workspaceId, { actor, action, subject: { type: "user", id }, data: { changed } });
    return user;
  });
}
