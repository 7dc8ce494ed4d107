import { sql } from "kysely";
import { record } from "../audit/record.ts";
import type { Acting } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";
import { isUuid } from "../platform/is-uuid.ts";

export interface WhichSession {
  readonly id: string;
  /** Whose it must be; absent: anybody's of the workspace. */
  readonly userId?: string | undefined;
}

/** Ends a session, on every process within a second. Ending it again changes nothing. */
export async function endSession(app: App, { workspaceId, actor }: Acting, which: WhichSession): Promise<void> {
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
    if (!found) throw new AppError("session_not_found", "There is no such session. GET /sessions lists them.");
    if (found.endedAt) return;
    const sessions = tx.updateTable("session").set({ endedAt: sql<Date>`now()` });
    await sessions.where("workspaceId", "=", workspaceId).where("id", "=", id).execute();
    await record(tx, workspaceId, { actor, action: "session.ended", subject: { type: "session", id } });
  });
}
