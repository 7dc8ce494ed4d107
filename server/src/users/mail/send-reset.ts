import { z } from "zod";
import { system } from "../../platform/actor.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { defineJob, enqueue } from "../../platform/queue/queue.ts";
import { createLink } from "../access-links.ts";
import { hasPassword } from "../has-password.ts";
import { isPasswordSignInOn } from "../password-sign-in-setting.ts";
import type { UserRow } from "../user-body.ts";
import { findMailRecipient } from "./find-mail-recipient.ts";
import { formatDateForMail } from "./format-date-for-mail.ts";
import { sanitizeNameForMail } from "./sanitize-name-for-mail.ts";
import { sendInvitation } from "./send-invitation.ts";

/** Sends the password reset email. */
export const sendReset = defineJob({
  name: "user.send-reset",
  // Retained no longer than a reset link is valid.
  options: { retryLimit: 8, retentionSeconds: 3600 },
  payload: z.object({ workspaceId: z.uuid(), userId: z.uuid() }),
  async run(app, { workspaceId, userId }) {
    const { mail } = app;
    if (!mail) return;
    const reset = await inWorkspace(app, workspaceId, async (tx) => {
      const { user, workspace } = await findMailRecipient(tx, workspaceId, userId, { lock: true });
      if (!user || user.deactivatedAt || !(await isPasswordSignInOn(tx, workspaceId))) return undefined;
      if (!(await hasPassword(tx, workspaceId, userId))) {
        if (user.status === "invited") await requeueInvitation(tx, user);
        // Send nothing to agents created by an import and never invited: anyone can request a reset.
        const neverInvited = user.invitation === "not_requested" && !user.invitationSentAt;
        if (user.status === "invited" || neverInvited) return undefined;
      }
      const link = await createLink(
        app,
        tx,
        { workspaceId, actor: system },
        {
          userId,
          kind: "reset",
          handedOver: false,
        },
      );
      return { user, workspace, link };
    });
    if (!reset) return;
    const { user, workspace, link } = reset;
    const workspaceName = sanitizeNameForMail(workspace.name);
    await mail.send({
      to: user.email.trim(),
      subject: `Reset your password for ${workspaceName} on Hearback`,
      text: [
        `Hello ${sanitizeNameForMail(user.name)},`,
        "",
        `We received a request to reset your password for ${workspaceName} on Hearback. Choose a new password:`,
        "",
        link.url,
        "",
        `The link works once, until ${formatDateForMail(link.expiresAt)}. Setting a new password signs you out on all other devices.`,
        "If you did not request this, ignore this email. Your password stays the same.",
        "",
      ].join("\n"),
    });
  },
});

/** The user has no password yet, so send the invitation again, which is valid longer. */
async function requeueInvitation(tx: Db, { workspaceId, id }: UserRow): Promise<void> {
  const users = tx.updateTable("appUser").where("workspaceId", "=", workspaceId).where("id", "=", id);
  await users.set({ invitation: "queued", invitationSentAt: null }).execute();
  await enqueue(tx, sendInvitation, { workspaceId, userId: id });
}
