import { randomUUID } from "node:crypto";
import { emailKey, type Role } from "@hearback/contract";
import { record } from "../audit/record.ts";
import { announce } from "../events/announce.ts";
import type { Acting } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";
import { enqueue } from "../platform/queue.ts";
import { findUserByEmail } from "./find-user.ts";
import { findFormerId, renameErased } from "./former-user.ts";
import { sendInvitation } from "./send-invitation.ts";
import { toUserBody, type User } from "./user-body.ts";

export interface InviteUserInput {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly sendInvitation: boolean;
  /** Whether a refusal says who has the address only if they are an agent, or were one. */
  readonly tellsAgentsOnly?: boolean;
}

/** Creates the person and, if asked, has an invitation sent. An e-mail that is taken changes nothing. */
export const inviteUser = (app: App, by: Acting, input: InviteUserInput): Promise<User> =>
  inWorkspace(app, by.workspaceId, (tx) => addUser(app, tx, by, input));

/** The same, as a part of its caller's transaction. */
export async function addUser(app: App, tx: Db, { workspaceId, actor }: Acting, input: InviteUserInput): Promise<User> {
  const { email, name, role } = input;
  const invitation = !input.sendInvitation ? "not_requested" : app.mail ? "queued" : "not_configured";
  const status = input.sendInvitation ? "invited" : "active";
  const person = { email, emailKey: emailKey(email), name, role, status, invitation };
  // Who was erased may have left a row.
  const anew = { ...person, deactivatedAt: null, invitationSentAt: null };
  const formerId = await findFormerId(tx, workspaceId, email);
  const returned = formerId && (await renameErased(tx, workspaceId, formerId, anew));
  const user =
    returned ||
    (await tx
      .insertInto("appUser")
      .values({ workspaceId, id: formerId ?? randomUUID(), ...person })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst());
  if (!user) {
    const standing = await findUserByEmail(tx, workspaceId, email);
    throw new AppError("user_exists", "A user with this e-mail address exists already; nothing was changed.", {
      ...(input.tellsAgentsOnly && !isAgent(standing) ? {} : { members: { user: toUserBody(standing) } }),
    });
  }
  if (invitation === "queued") await enqueue(tx, sendInvitation, { workspaceId, userId: user.id });
  await announce(tx, { workspaceId, type: "user.created", data: { user_id: user.id, role } });
  const subject = { type: "user", id: user.id };
  await record(tx, workspaceId, { actor, action: "user.created", subject, data: { role } });
  return user;
}

const isAgent = ({ role, formerAgent }: User) => role === "agent" || formerAgent;
