import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";

/** Activates an invited user and cancels an invitation email that is still queued. */
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
