import { record } from "../audit/record.ts";
import type { Acting } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";
import { isUuid } from "../platform/is-uuid.ts";

/** Ends a hold and keeps it as history. Ending it again changes nothing. */
export async function releaseHold(app: App, { workspaceId, actor }: Acting, id: string): Promise<void> {
  await inWorkspace(app, workspaceId, async (tx) => {
    const hold =
      isUuid(id) &&
      (await tx
        .selectFrom("legalHold")
        .selectAll()
        .where("workspaceId", "=", workspaceId)
        .where("id", "=", id)
        .forUpdate()
        .executeTakeFirst());
    if (!hold) throw new AppError("hold_not_found", "There is no such legal hold in this workspace.");
    if (hold.releasedAt) return;
    await tx
      .updateTable("legalHold")
      .set({ releasedByType: actor.type, releasedById: actor.id, releasedAt: new Date() })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .execute();
    await record(tx, workspaceId, {
      actor,
      action: "hold.released",
      subject: { type: "hold", id },
      data: { [`${hold.subjectType}_id`]: hold.subjectId },
    });
  });
}
