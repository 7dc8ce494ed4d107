import type { SessionBody } from "@hearback/contract";
import type { Db } from "../platform/database/database.ts";
import { notSignedIn } from "../platform/errors.ts";

/** A session as its person sees it. */
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
    .select(["appUser.email", "appUser.name", "appUser.role", "workspace.name as workspaceName"])
    .select((eb) => eb("credential.userId", "is not", null).as("hasPassword"))
    .where("session.workspaceId", "=", workspaceId)
    .where("session.id", "=", id)
    .executeTakeFirst();
  // Erased between being recognised and being read.
  if (!found) throw notSignedIn();
  const { userId, email, name, role } = found;
  return {
    id: found.id,
    user: { id: userId, email, name, role: role as SessionBody["user"]["role"] },
    workspace: { id: workspaceId, name: found.workspaceName },
    signed_in_by: found.signedInBy as SessionBody["signed_in_by"],
    created_at: found.createdAt.toISOString(),
    expires_at: found.expiresAt.toISOString(),
    has_password: Boolean(found.hasPassword),
  };
}
