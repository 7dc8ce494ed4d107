import { sql } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { system } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { openSecondKey } from "./draw-keys.ts";
import { lockDraw } from "./find-draw.ts";

const batchSize = 1_000;

/** Publishes the second keys of draws whose reviews are all done: from then on, it does no harm to know which calls have two. */
export async function publishSecondKeys(app: App, workspaceId: string, signal?: AbortSignal): Promise<void> {
  const { rows } = await inWorkspace(app, workspaceId, (tx) =>
    sql<{ id: string }>`
      select id from review_draw as draw where workspace_id = ${workspaceId} and sealed_second_key is not null and state = 'drawn'
        and not exists (select from assignment where assignment.workspace_id = draw.workspace_id and draw_id = draw.id
          and state in ('pending', 'open'))
      order by id limit ${batchSize}`.execute(tx),
  );
  for (const { id } of rows) {
    signal?.throwIfAborted();
    await publish(app, workspaceId, id);
  }
}

async function publish(app: App, workspaceId: string, id: string): Promise<void> {
  await inWorkspace(app, workspaceId, async (tx) => {
    const draw = await lockDraw(tx, workspaceId, id);
    const secondKey = openSecondKey(app, draw);
    if (!secondKey || draw.secondKey) return;
    await tx
      .updateTable("reviewDraw")
      .set({ secondKey, sealedSecondKey: null })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .execute();
    await recordAuditEntry(tx, workspaceId, {
      actor: system,
      action: "draw.second_key_published",
      subject: { type: "draw", id },
      data: { plan_id: draw.planId, period: draw.period, second_key: secondKey.toString("hex") },
    });
  });
}
