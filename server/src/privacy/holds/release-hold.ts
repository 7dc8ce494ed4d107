import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { isUuid } from "../../platform/is-uuid.ts";
import { holdNotFound } from "../errors.ts";

/** Releases a hold and keeps it as history. Idempotent. */
export async function releaseHold(app: App, { workspaceId, actor }: WorkspaceActor, id: string): Promise<void> {
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
    if (!hold) throw holdNotFound();
    if (hold.releasedAt) return;
    await tx
      .updateTable("legalHold")
      .set({ releasedByType: actor.type, releasedById: actor.id, releasedAt: new Date() })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .execute();
    await recordAuditEntry(tx, workspaceId, {
      actor,
      action: "hold.released",
      subject: { type: "hold", id },
      data: { [`${hold.subjectType}_id`]: hold.subjectId },
    });
  });
}
