import { z } from "zod";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { defineJob } from "../platform/queue.ts";

/** Tells a person by mail that they were invited. */
export const sendInvitation = defineJob({
  name: "user.send-invitation",
  payload: z.object({ workspaceId: z.uuid(), userId: z.uuid() }),
  async run(app, { workspaceId, userId }) {
    const { user, workspace } = await inWorkspace(app, workspaceId, async (tx) => ({
      user: await tx
        .selectFrom("appUser")
        .selectAll()
        .where("workspaceId", "=", workspaceId)
        .where("id", "=", userId)
        .executeTakeFirst(),
      workspace: await tx.selectFrom("workspace").selectAll().where("id", "=", workspaceId).executeTakeFirstOrThrow(),
    }));
    if (!user || user.invitationSentAt || user.deactivatedAt) return;
    if (!app.mail) throw new Error("an invitation waits and SMTP_URL is not set for this worker");

    await app.mail.send({
      to: user.email.trim(),
      subject: `You are invited to ${workspace.name} on Hearback`,
      text: [
        `Hello ${user.name},`,
        "",
        `${workspace.name} uses Hearback to listen to calls and learn from them, and has invited you as ${user.role}.`,
        "You need do nothing now: you will hear from your supervisor when there is something to see.",
        "",
      ].join("\n"),
    });
    await inWorkspace(app, workspaceId, (tx) =>
      tx
        .updateTable("appUser")
        .set({ invitationSentAt: new Date() })
        .where("workspaceId", "=", workspaceId)
        .where("id", "=", userId)
        .execute(),
    );
  },
});
