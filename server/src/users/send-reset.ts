import { z } from "zod";
import { system } from "../platform/actor.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { defineJob, enqueue } from "../platform/queue.ts";
import { findAddressee } from "./find-addressee.ts";
import { hasPassword } from "./has-password.ts";
import { inWords } from "./in-words.ts";
import { makeLink } from "./make-link.ts";
import { onOneLine } from "./on-one-line.ts";
import { sendInvitation } from "./send-invitation.ts";
import type { User } from "./user-body.ts";

/** Sends a person who forgot the password a link by which they choose another. */
export const sendReset = defineJob({
  name: "user.send-reset",
  // Later than the link would live it helps nobody.
  options: { retryLimit: 8, retentionSeconds: 3600 },
  payload: z.object({ workspaceId: z.uuid(), userId: z.uuid() }),
  async run(app, { workspaceId, userId }) {
    const { mail } = app;
    if (!mail) return;
    const made = await inWorkspace(app, workspaceId, async (tx) => {
      const { user, workspace } = await findAddressee(tx, workspaceId, userId, { lock: true });
      if (!user || user.deactivatedAt) return undefined;
      if (!(await hasPassword(tx, workspaceId, userId))) {
        if (user.status === "invited") await inviteOnceMore(tx, user);
        // Strangers have no letters sent to people whom nobody has invited, by mail or in hand: agents whom an import made.
        const uninvited = user.invitation === "not_requested" && !user.invitationSentAt;
        if (user.status === "invited" || uninvited) return undefined;
      }
      const link = await makeLink(
        app,
        tx,
        { workspaceId, actor: system },
        {
          ...{ userId, kind: "reset", handedOver: false },
        },
      );
      return { user, workspace, link };
    });
    if (!made) return;
    const { user, workspace, link } = made;
    const workspaceName = onOneLine(workspace.name);
    await mail.send({
      to: user.email.trim(),
      subject: `A new password for ${workspaceName} on Hearback`,
      text: [
        `Hello ${onOneLine(user.name)},`,
        "",
        `somebody, probably you, asked for a new password for ${workspaceName} on Hearback. Choose it here:`,
        "",
        link.url,
        "",
        `The link works once, until ${inWords(link.expiresAt)}, and signs you out everywhere else.`,
        "If it was not you, leave this letter alone: your password stays as it is.",
        "",
      ].join("\n"),
    });
  },
});

/** There is no password to forget yet: the invitation, which lives longer, comes again. */
async function inviteOnceMore(tx: Db, { workspaceId, id }: User): Promise<void> {
  const users = tx.updateTable("appUser").where("workspaceId", "=", workspaceId).where("id", "=", id);
  await users.set({ invitation: "queued", invitationSentAt: null }).execute();
  await enqueue(tx, sendInvitation, { workspaceId, userId: id });
}
