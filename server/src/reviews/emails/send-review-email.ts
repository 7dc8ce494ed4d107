import { z } from "zod";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { defineJob } from "../../platform/queue/queue.ts";
import { findMailRecipient } from "../../users/mail/find-mail-recipient.ts";
import { sanitizeNameForMail } from "../../users/mail/sanitize-name-for-mail.ts";

const count = z.int().nonnegative();

/** Sends an agent the daily email: how many reviews were released and objections decided. No customers, no scores. */
export const sendReviewEmail = defineJob({
  name: "user.send-review-email",
  // The next daily email replaces one that could not be sent.
  options: { retryLimit: 8, retentionSeconds: 24 * 3600 },
  payload: z.object({ workspaceId: z.uuid(), userId: z.uuid(), released: count, decided: count }),
  async run(app, { workspaceId, userId, released, decided }) {
    const { mail } = app;
    if (!mail) return;
    const { user, workspace } = await inWorkspace(app, workspaceId, (tx) => findMailRecipient(tx, workspaceId, userId));
    if (!user?.reviewEmail || user.deactivatedAt) return;
    await mail.send({
      to: user.email.trim(),
      subject: `News about your reviews at ${sanitizeNameForMail(workspace.name)}`,
      text: [
        `Hello ${sanitizeNameForMail(user.name)},`,
        "",
        ...(released > 0
          ? [
              released === 1
                ? "A review of one of your calls was released."
                : `${released} reviews of your calls were released.`,
            ]
          : []),
        ...(decided > 0
          ? [decided === 1 ? "One of your objections was decided." : `${decided} of your objections were decided.`]
          : []),
        "",
        `Read your reviews: ${app.config.publicUrl}/console/reviews`,
        "",
        `You get this email at most once a day. To turn it off, open ${app.config.publicUrl}/console/account`,
        "",
      ].join("\n"),
    });
  },
});
