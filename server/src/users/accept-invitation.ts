import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";

/** An invited person has come, and is one of us from now on. A letter that still waits is not sent any more. */
export async function acceptInvitation(tx: Db, workspaceId: string, userId: string): Promise<void> {
  await tx
    .updateTable("appUser")
    .set({ status: "active", invitationSentAt: sql<Date>`coalesce(invitation_sent_at, now())` })
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", userId)
    .where((eb) =>
      eb.or([
        eb("status", "=", "invited"),
        eb.and([eb("invitation", "=", "queued"), eb("invitationSentAt", "is", null)]),
      ]),
    )
    .execute();
}
