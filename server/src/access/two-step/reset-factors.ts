import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { enqueue } from "../../platform/queue/queue.ts";
import { findUser } from "../../users/find-user.ts";
import { sendTwoStepNotice } from "../../users/mail/send-two-step-notice.ts";
import { endSessions } from "../sessions/end-sessions.ts";
import { clearTwoStepState } from "./change-factors.ts";

/** Removes all second factors of a user, for example after a lost phone, and ends their sessions. */
export async function resetFactors(
  app: App,
  { workspaceId, actor }: WorkspaceActor,
  userId: string,
  before?: (tx: Db) => Promise<void>,
) {
  await inWorkspace(app, workspaceId, async (tx) => {
    await before?.(tx);
    const { id } = await findUser(tx, workspaceId, userId);
    await endSessions(tx, workspaceId, id);
    for (const table of ["totpFactor", "passkey"] as const) {
      await tx.deleteFrom(table).where("workspaceId", "=", workspaceId).where("userId", "=", id).execute();
    }
    await clearTwoStepState(tx, { workspaceId, userId: id });
    if (app.mail) await enqueue(tx, sendTwoStepNotice, { workspaceId, userId: id, change: "reset" });
    await recordAuditEntry(tx, workspaceId, { actor, action: "two_step.reset", subject: { type: "user", id } });
  });
}
