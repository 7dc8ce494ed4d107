import { z } from "zod";
import { system } from "../platform/actor.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { defineJob } from "../platform/queue.ts";
import { findAddressee } from "./find-addressee.ts";
import { hasPassword } from "./has-password.ts";
import { inWords } from "./in-words.ts";
import { makeLink } from "./make-link.ts";
import { onOneLine } from "./on-one-line.ts";

/** Tells a person by mail that they were invited, with the link by which they choose a password. */
export const sendInvitation = defineJob({
  name: "user.send-invitation",
  payload: z.object({ workspaceId: z.uuid(), userId: z.uuid() }),
  async run(app, { workspaceId, userId }) {
    const made = await inWorkspace(app, workspaceId, async (tx) => {
      const { user, workspace } = await findAddressee(tx, workspaceId, userId, { lock: true });
      // Sent, handed over or accepted meanwhile.
      if (!user || user.invitationSentAt || user.deactivatedAt) return undefined;
      if (await hasPassword(tx, workspaceId, userId)) return undefined;
      if (!app.mail) throw new Error("an invitation waits and SMTP_URL is not set for this worker");
      // Committed before the letter is sent: it must work when it arrives. A second attempt makes another.
      const link = await makeLink(
        app,
        tx,
        { workspaceId, actor: system },
        {
          ...{ userId, kind: "invitation", handedOver: false },
        },
      );
      return { user, workspace, link, mail: app.mail };
    });
    if (!made) return;
    const { user, workspace, link, mail } = made;
    const workspaceName = onOneLine(workspace.name);
    await mail.send({
      to: user.email.trim(),
      subject: `You are invited to ${workspaceName} on Hearback`,
      text: [
        `Hello ${onOneLine(user.name)},`,
        "",
        `${workspaceName} uses Hearback to listen to calls and learn from them, and has invited you as ${user.role}.`,
        "Choose a password here, and you are in:",
        "",
        link.url,
        "",
        `The link works once, until ${inWords(link.expiresAt)}. Whoever has it can choose the password: do not pass it on.`,
        "If you expect no invitation, you can leave this letter alone.",
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
