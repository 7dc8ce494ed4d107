import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";

/** Ends a key, on every process within a second. Revoking it again changes nothing. */
export async function revokeApiKey(app: App, workspaceId: string, id: string) {
  return inWorkspace(app, workspaceId, async (tx) => {
    const key = await tx
      .updateTable("apiKey")
      .set((eb) => ({ revokedAt: eb.fn.coalesce("revokedAt", eb.fn<Date>("now")) }))
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .returning(["id", "name", "revokedAt"])
      .executeTakeFirst();
    if (!key) throw new AppError("not_found", `There is no key ${id} in this workspace. \`key list\` shows them.`);
    return key;
  });
}
