import { countInvitationMail } from "../../limits/count-invitation-mail.ts";
import type { WorkspaceActor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { enqueue } from "../../platform/queue/queue.ts";
import { createLink, linkTtlMs, signInUrl } from "../access-links.ts";
import { userDeactivated } from "../errors.ts";
import { findUser } from "../find-user.ts";
import { hasPassword } from "../has-password.ts";
import { isPasswordSignInOn } from "../password-sign-in-setting.ts";
import type { User } from "../user-body.ts";
import { sendInvitation } from "./send-invitation.ts";
import { sendReset } from "./send-reset.ts";

interface ResendInvitationInput {
  readonly byMail: boolean;
  /** Whether the caller may receive the link if no email is sent. */
  readonly canSeeLink: boolean;
  /** Throws if the caller may not invite this user. */
  readonly requireMayInvite: (user: User) => void;
}

export interface Invitation {
  readonly invitation: "queued" | "not_configured";
  readonly link: string | null;
  /** Null: no link was created, or the link is the sign-in page, which does not expire. */
  readonly expiresAt: Date | null;
}

/** Queues a new invitation email, or returns the link. For a user with a password, it is a password reset. */
export async function resendInvitation(
  app: App,
  by: WorkspaceActor,
  id: string,
  input: ResendInvitationInput,
): Promise<Invitation> {
  const { workspaceId } = by;
  return inWorkspace(app, workspaceId, async (tx) => {
    const user = await findUser(tx, workspaceId, id, { lock: true });
    input.requireMayInvite(user);
    if (user.deactivatedAt) throw userDeactivated();
    const byPassword = await isPasswordSignInOn(tx, workspaceId);
    const kind = byPassword && (await hasPassword(tx, workspaceId, id)) ? "reset" : "invitation";
    const users = tx.updateTable("appUser").where("workspaceId", "=", workspaceId).where("id", "=", id);
    if (!app.mail || !input.byMail) {
      if (!input.canSeeLink) return { invitation: "not_configured", link: null, expiresAt: null };
      // Cancels a queued invitation email, which this link replaces.
      if (kind === "invitation") await users.set({ invitationSentAt: new Date() }).execute();
      // Password sign-in is off: the user signs in with the provider.
      if (!byPassword) return { invitation: "not_configured", link: signInUrl(app), expiresAt: null };
      const { url, expiresAt } = await createLink(app, tx, by, { userId: id, kind, handedOver: true });
      return { invitation: "not_configured", link: url, expiresAt };
    }
    await countInvitationMail(app, tx, workspaceId);
    if (kind === "invitation") await users.set({ invitation: "queued", invitationSentAt: null }).execute();
    // The job creates the link when it sends the email.
    await enqueue(tx, kind === "reset" ? sendReset : sendInvitation, { workspaceId, userId: id });
    return { invitation: "queued", link: null, expiresAt: byPassword ? new Date(Date.now() + linkTtlMs[kind]) : null };
  });
}
