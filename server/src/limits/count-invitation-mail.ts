import { sql } from "kysely";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { dayOf, secondsToTomorrow } from "../workspaces/usage.ts";
import { findLimits } from "./find-limits.ts";
import { overLimit } from "./over-limit.ts";

/** Counts an invitation email against the workspace's daily quota, or throws. Runs in the caller's transaction. */
export async function countInvitationMail(app: App, tx: Db, workspaceId: string): Promise<void> {
  const { limits } = await findLimits(tx, app.config.limits, { workspaceId, keyId: null });
  const limit = limits.workspace.invitationMailsPerDay;
  const day = dayOf(Date.now());
  const counted = await tx
    .insertInto("invitationMailCount")
    .values({ workspaceId, day, mails: 1 })
    .onConflict((conflict) =>
      conflict.column("workspaceId").doUpdateSet({
        day,
        mails: sql<number>`case when invitation_mail_count.day = excluded.day then invitation_mail_count.mails + 1 else 1 end`,
      }),
    )
    .returning("mails")
    .executeTakeFirstOrThrow();
  if (limit === null || counted.mails <= limit) return;
  const resetsInSeconds = secondsToTomorrow(Date.now());
  throw overLimit({ name: "workspace_invitation_mails_per_day", limit, left: 0, resetsInSeconds });
}
