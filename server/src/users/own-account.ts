import { emitEvent } from "../events/emit-event.ts";
import type { Db } from "../platform/database/database.ts";

/** An invited person corrects their name. */
export async function renameUser(
  tx: Db,
  workspaceId: string,
  { id, name: before }: { readonly id: string; readonly name: string },
  name: string | undefined,
): Promise<void> {
  if (name === undefined || name === before) return;
  await tx.updateTable("appUser").set({ name }).where("workspaceId", "=", workspaceId).where("id", "=", id).execute();
  await emitEvent(tx, { workspaceId, type: "user.changed", data: { user_id: id, changed: ["name"] } });
}

/** Whether the user wants emails about their reviews. */
export async function saveReviewEmail(tx: Db, workspaceId: string, id: string, reviewEmail: boolean): Promise<void> {
  const own = tx.updateTable("appUser").where("workspaceId", "=", workspaceId).where("id", "=", id);
  await own.set({ reviewEmail }).execute();
}
