import type { Acting } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";
import { enqueue } from "../platform/queue.ts";
import { findUser } from "./find-user.ts";
import { hasPassword } from "./has-password.ts";
import { linkLifeMs, makeLink } from "./make-link.ts";
import { sendInvitation } from "./send-invitation.ts";
import { sendReset } from "./send-reset.ts";
import type { User } from "./user-body.ts";

interface InviteAgainInput {
  readonly byMail: boolean;
  /** Whether whoever asks may see the link, where no mail is sent. */
  readonly seesLink: boolean;
  /** Refuses who may not invite this person. */
  readonly mayInvite: (user: User) => void;
}

export interface Invitation {
  readonly invitation: "queued" | "not_configured";
  readonly link: string | null;
  /** Null: no link was made, for nobody would see it. */
  readonly expiresAt: Date | null;
}

/** Has an invitation sent again, or gives its link. For who has a password already it is one to choose another. */
export async function inviteAgain(app: App, by: Acting, id: string, input: InviteAgainInput): Promise<Invitation> {
  const { workspaceId } = by;
  return inWorkspace(app, workspaceId, async (tx) => {
    const user = await findUser(tx, workspaceId, id, { lock: true });
    input.mayInvite(user);
    if (user.deactivatedAt) throw deactivated();
    const kind = (await hasPassword(tx, workspaceId, id)) ? "reset" : "invitation";
    const users = tx.updateTable("appUser").where("workspaceId", "=", workspaceId).where("id", "=", id);
    if (!app.mail || !input.byMail) {
      if (!input.seesLink) return { invitation: "not_configured", link: null, expiresAt: null };
      // A letter that still waits is not sent any more: this is what it would have brought.
      if (kind === "invitation") await users.set({ invitationSentAt: new Date() }).execute();
      const { url, expiresAt } = await makeLink(app, tx, by, { userId: id, kind, handedOver: true });
      return { invitation: "not_configured", link: url, expiresAt };
    }
    if (kind === "invitation") await users.set({ invitation: "queued", invitationSentAt: null }).execute();
    // The link is made when the letter is sent.
    await enqueue(tx, kind === "reset" ? sendReset : sendInvitation, { workspaceId, userId: id });
    return { invitation: "queued", link: null, expiresAt: new Date(Date.now() + linkLifeMs[kind]) };
  });
}

const deactivated = () =>
  new AppError("user_deactivated", "The user is deactivated. Bring them back first: PATCH /users/{id}.");
