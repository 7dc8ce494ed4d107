import type { SessionBody } from "@hearback/contract";
import type { Role } from "../platform/caller.ts";
import type { Db } from "../platform/database/database.ts";
import { notSignedIn } from "../platform/errors.ts";
import { passwordSignIn } from "../users/password-sign-in-setting.ts";
import { agentsCanDownload } from "../workspaces/agent-downloads.ts";
import { reviewersPickCalls } from "../workspaces/picking-calls.ts";
import { confirmedUntil } from "./sessions/require-confirmed.ts";
import { requiresTwoStep } from "./two-step/find-factors.ts";

/** The session as shown to its user. */
export async function findSession(tx: Db, workspaceId: string, id: string): Promise<SessionBody> {
  const found = await tx
    .selectFrom("session")
    .innerJoin("appUser", (join) =>
      join.onRef("appUser.workspaceId", "=", "session.workspaceId").onRef("appUser.id", "=", "session.userId"),
    )
    .innerJoin("workspace", "workspace.id", "session.workspaceId")
    .leftJoin("credential", (join) =>
      join
        .onRef("credential.workspaceId", "=", "session.workspaceId")
        .onRef("credential.userId", "=", "session.userId"),
    )
    .select(["session.id", "session.userId", "session.signedInBy", "session.createdAt", "session.expiresAt"])
    .select(["session.confirmedAt", "session.secondFactor"])
    .select(["appUser.email", "appUser.name", "appUser.role", "appUser.reviewEmail"])
    .select("appUser.listensToOriginals")
    .select("workspace.name as workspaceName")
    .select((eb) => eb("credential.userId", "is not", null).as("hasPassword"))
    .select([passwordSignIn.as("passwordSignIn"), agentsCanDownload.as("agentsCanDownload")])
    .select(reviewersPickCalls.as("reviewersPickCalls"))
    .where("session.workspaceId", "=", workspaceId)
    .where("session.id", "=", id)
    .executeTakeFirst();
  // The user was erased after the session was authenticated.
  if (!found) throw notSignedIn();
  const { userId, email, name, role } = found;
  const twoStepNeeded =
    found.secondFactor === null &&
    (found.signedInBy === "password" || found.signedInBy === "link") &&
    (await requiresTwoStep(tx, workspaceId, role as Role));
  return {
    id: found.id,
    user: { id: userId, email, name, role: role as SessionBody["user"]["role"] },
    workspace: { id: workspaceId, name: found.workspaceName },
    signed_in_by: found.signedInBy as SessionBody["signed_in_by"],
    created_at: found.createdAt.toISOString(),
    expires_at: found.expiresAt.toISOString(),
    has_password: Boolean(found.hasPassword),
    password_sign_in: found.passwordSignIn,
    can_download: role !== "agent" || found.agentsCanDownload,
    can_hear_originals: found.listensToOriginals,
    can_pick_calls: role === "reviewer" ? found.reviewersPickCalls : role !== "agent",
    review_email: found.reviewEmail,
    second_factor: found.secondFactor as SessionBody["second_factor"],
    two_step_needed: twoStepNeeded,
    confirmed_until: confirmedUntil(found.confirmedAt)?.toISOString() ?? null,
  };
}
