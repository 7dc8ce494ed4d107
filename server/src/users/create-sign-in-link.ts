import type { WorkspaceActor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { type CreatedLink, createLink } from "./access-links.ts";
import { userNotFound } from "./errors.ts";
import { listUsers } from "./list-users.ts";

/** Creates a one-time link that signs in an administrator without password or provider. For server operators. */
export async function createSignInLink(app: App, by: WorkspaceActor, email: string): Promise<CreatedLink> {
  const { workspaceId } = by;
  return inWorkspace(app, workspaceId, async (tx) => {
    const [user] = (await listUsers(tx, workspaceId, { email, limit: 1 })).users;
    if (!user || user.deactivatedAt || user.role !== "admin") {
      throw userNotFound.withDetail(
        `There is no active administrator "${email}" in this workspace. List users with \`user list\`.`,
      );
    }
    return createLink(app, tx, by, { userId: user.id, kind: "sign_in", handedOver: true });
  });
}
