import { z } from "zod";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { defineJob } from "../../platform/queue/queue.ts";
import { findMailRecipient } from "./find-mail-recipient.ts";
import { stripLineBreaks } from "./strip-line-breaks.ts";

const changes = {
  added: "A second factor was added.",
  removed: "A second factor was removed.",
  codes_created: "New recovery codes were created. The old codes no longer work.",
  reset: "An administrator removed all second factors and signed you out.",
} as const;
export type TwoStepChange = keyof typeof changes;

/** Notifies a user by email that their two-step verification was changed. */
export const sendTwoStepNotice = defineJob({
  name: "user.send-two-step-notice",
  options: { retryLimit: 8, retentionSeconds: 24 * 3600 },
  payload: z.object({
    workspaceId: z.uuid(),
    userId: z.uuid(),
    change: z.enum(Object.keys(changes) as [TwoStepChange, ...TwoStepChange[]]),
  }),
  async run(app, { workspaceId, userId, change }) {
    const { mail } = app;
    if (!mail) return;
    const { user, workspace } = await inWorkspace(app, workspaceId, (tx) => findMailRecipient(tx, workspaceId, userId));
    if (!user || user.deactivatedAt) return;
    await mail.send({
      to: user.email.trim(),
      subject: "Your two-step verification on Hearback was changed",
      text: [
        `Hello ${stripLineBreaks(user.name)},`,
        "",
        `Two-step verification of your account at ${stripLineBreaks(workspace.name)} on Hearback was changed:`,
        changes[change],
        "",
        `If you did not expect this, change your password at ${app.config.publicUrl}/console/account and contact an administrator of your workspace.`,
        "",
      ].join("\n"),
    });
  },
});
