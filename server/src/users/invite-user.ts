import { randomUUID } from "node:crypto";
import { emailKey, type Role } from "@hearback/contract";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import { emitEvent } from "../events/emit-event.ts";
import { countInvitationMail } from "../limits/count-invitation-mail.ts";
import type { WorkspaceActor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { enqueue } from "../platform/queue/queue.ts";
import { findErasedUserId, restoreErasedUser } from "./erased-user.ts";
import { notAnAgent, userExists } from "./errors.ts";
import { findUserByEmail } from "./find-user.ts";
import { sendInvitation } from "./mail/send-invitation.ts";
import { signInMethods } from "./sign-in-methods.ts";
import { asCreatedAgent, toUserBody, type User } from "./user-body.ts";

export interface InviteUserInput {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly sendInvitation: boolean;
  /** If the email address is taken, include the existing user in the error only if they are an agent. */
  readonly revealAgentsOnly?: boolean;
}

/** Creates a user and, if requested, queues an invitation email. Throws `user_exists` if the email address is taken. */
export const inviteUser = (app: App, by: WorkspaceActor, input: InviteUserInput): Promise<User> =>
  inWorkspace(app, by.workspaceId, (tx) => addUser(app, tx, by, input));

/** Like `inviteUser`, within the caller's transaction. */
export async function addUser(
  app: App,
  tx: Db,
  { workspaceId, actor }: WorkspaceActor,
  input: InviteUserInput,
): Promise<User> {
  const { email, name, role } = input;
  const invitation = !input.sendInvitation ? "not_requested" : app.mail ? "queued" : "not_configured";
  const status = input.sendInvitation ? "invited" : "active";
  const values = { email, emailKey: emailKey(email), name, role, status, invitation };
  // An erased user's row may still exist; reuse it.
  const restored = { ...values, deactivatedAt: null, invitationSentAt: null, listensToOriginals: false };
  const erasedId = await findErasedUserId(tx, workspaceId, email);
  const returning = erasedId && (await restoreErasedUser(tx, workspaceId, erasedId, restored));
  const user =
    returning ||
    (await tx
      .insertInto("appUser")
      .values({ workspaceId, id: erasedId ?? randomUUID(), ...values })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .returning(signInMethods)
      .executeTakeFirst());
  if (!user) {
    throw conflictWith(await findUserByEmail(tx, workspaceId, email), input);
  }
  if (invitation === "queued") {
    await countInvitationMail(app, tx, workspaceId);
    await enqueue(tx, sendInvitation, { workspaceId, userId: user.id });
  }
  await emitEvent(tx, { workspaceId, type: "user.created", data: { user_id: user.id, role } });
  const subject = { type: "user", id: user.id };
  await recordAuditEntry(tx, workspaceId, { actor, action: "user.created", subject, data: { role } });
  return user;
}

function conflictWith(existing: User, { email, role, revealAgentsOnly = false }: InviteUserInput) {
  const known = toUserBody(existing);
  const importable = known.role === "agent" || existing.formerAgent;
  const issue =
    role === "agent" && !importable ? notAnAgent(email, revealAgentsOnly ? undefined : known.role) : undefined;
  if (!revealAgentsOnly) return userExists(known, issue);
  return userExists(known.role === "agent" ? asCreatedAgent(known) : undefined, issue);
}
