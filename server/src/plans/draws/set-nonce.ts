import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { nonceFixed } from "../errors.ts";
import { type DrawRow, findDraw, lockDraw } from "./find-draw.ts";

/** Sets the text that becomes part of the seed. Possible until the frame is being closed. */
export async function setNonce(app: App, by: WorkspaceActor, id: string, nonce: string): Promise<DrawRow> {
  const { workspaceId, actor } = by;
  return inWorkspace(app, workspaceId, async (tx) => {
    const draw = await lockDraw(tx, workspaceId, id);
    if (draw.state !== "committed" || draw.closesAt <= new Date()) throw nonceFixed();
    if (draw.nonce === nonce) return draw;
    await tx
      .updateTable("reviewDraw")
      .set({ nonce })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .execute();
    const changed = await findDraw(tx, workspaceId, id);
    await recordAuditEntry(tx, workspaceId, {
      actor,
      action: "draw.nonce_set",
      subject: { type: "draw", id },
      data: { nonce },
    });
    return changed;
  });
}
