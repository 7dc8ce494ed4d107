import { sql } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { isUuid } from "../../platform/is-uuid.ts";
import { sessionNotFound } from "../errors.ts";

export interface SessionRef {
  readonly id: string;
  /** The session must belong to this user; absent: any user in the workspace. */
  readonly userId?: string | undefined;
}

/** Ends a session within a second on every process. Idempotent. */
export async function endSession(app: App, { workspaceId, actor }: WorkspaceActor, which: SessionRef): Promise<void> {
  const { userId } = which;
  const id = which.id.toLowerCase();
  await inWorkspace(app, workspaceId, async (tx) => {
    const found = isUuid(id)
      ? await tx
          .selectFrom("session")
          .select("endedAt")
          .where("workspaceId", "=", workspaceId)
          .where("id", "=", id)
          .$if(userId !== undefined, (rows) => rows.where("userId", "=", userId ?? ""))
          .forNoKeyUpdate()
          .executeTakeFirst()
      : undefined;
    if (!found) throw sessionNotFound();
    if (found.endedAt) return;
    const sessions = tx.updateTable("session").set({ endedAt: sql<Date>`now()` });
    await sessions.where("workspaceId", "=", workspaceId).where("id", "=", id).execute();
    await recordAuditEntry(tx, workspaceId, { actor, action: "session.ended", subject: { type: "session", id } });
  });
}
