import { z } from "zod";
import { system } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { defineJob } from "../../platform/queue/queue.ts";
import { type CreatedLink, createLink, signInUrl } from "../access-links.ts";
import { hasPassword } from "../has-password.ts";
import { isPasswordSignInOn } from "../password-sign-in-setting.ts";
import { findMailRecipient } from "./find-mail-recipient.ts";
import { formatDateForMail } from "./format-date-for-mail.ts";
import { sanitizeNameForMail } from "./sanitize-name-for-mail.ts";

/** Sends the invitation email with a link to set a password, or to the sign-in page if password sign-in is off. */
export const sendInvitation = defineJob({
  name: "user.send-invitation",
  payload: z.object({ workspaceId: z.uuid(), userId: z.uuid() }),
  async run(app, { workspaceId, userId }) {
    const invitation = await inWorkspace(app, workspaceId, async (tx) => {
      const { user, workspace } = await findMailRecipient(tx, workspaceId, userId, { lock: true });
      // Already sent, replaced by a handed-over link, or accepted.
      if (!user || user.invitationSentAt || user.deactivatedAt) return undefined;
      const byPassword = await isPasswordSignInOn(tx, workspaceId);
      if (byPassword && (await hasPassword(tx, workspaceId, userId))) return undefined;
      if (!app.mail) throw new Error("an invitation is queued, but SMTP_URL is not set for this worker");
      // Committed before sending, so that the link works when the email arrives. A retry creates a new link.
      const by = { workspaceId, actor: system };
      const link = byPassword
        ? await createLink(app, tx, by, { userId, kind: "invitation", handedOver: false })
        : undefined;
      return { user, workspace, link, mail: app.mail };
    });
    if (!invitation) return;
    const { user, workspace, link, mail } = invitation;
    const workspaceName = sanitizeNameForMail(workspace.name);
    await mail.send({
      to: user.email.trim(),
      subject: `You have been invited to ${workspaceName} on Hearback`,
      text: [
        `Hello ${sanitizeNameForMail(user.name)},`,
        "",
        `${workspaceName} uses Hearback to review calls, and has invited you to join. Your role: ${user.role === "admin" ? "administrator" : user.role}.`,
        ...(link ? byLink(link) : byProvider(app)),
        "If you did not expect this invitation, you can ignore this email.",
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

const byLink = ({ url, expiresAt }: CreatedLink) => [
  "Choose a password to sign in:",
  "",
  url,
  "",
  `The link works once, until ${formatDateForMail(expiresAt)}. Do not share it: anyone with the link can set your password.`,
];

/** If password sign-in is off. */
const byProvider = (app: App) => [
  `Sign in with ${sanitizeNameForMail(app.config.oidc?.name ?? "your identity provider")}:`,
  "",
  signInUrl(app),
  "",
];
