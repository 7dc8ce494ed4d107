import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";
import { enqueue } from "../platform/queue.ts";
import { type CallDetail, findCallDetail } from "./call-detail.ts";
import { prepareCall } from "./prepare-call.ts";

/** Puts a call that failed back among those to be prepared. One that still waits is asked for once more, which does no harm. */
export async function prepareAgain(app: App, workspaceId: string, callId: string): Promise<CallDetail> {
  return inWorkspace(app, workspaceId, async (tx) => {
    const { call } = await findCallDetail(tx, workspaceId, callId);
    if (call.status === "ready") throw new AppError("call_ready", "The call is ready: there is nothing to run again.");
    await tx
      .updateTable("call")
      .set({ status: "received", failureCode: null, failureDetail: null })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", call.id)
      .where("status", "=", "failed")
      .execute();
    await tx.deleteFrom("callStep").where("workspaceId", "=", workspaceId).where("callId", "=", call.id).execute();
    await enqueue(tx, prepareCall, { workspaceId, callId: call.id });
    return findCallDetail(tx, workspaceId, call.id);
  });
}

const batch = 200;

/** The calls that failed, by code if one is given, in the order of their conversations. */
export async function* failedCalls(app: App, workspaceId: string, code?: string): AsyncGenerator<string> {
  for (let last = "00000000-0000-0000-0000-000000000000"; ; ) {
    const rows = await inWorkspace(app, workspaceId, (tx) =>
      tx
        .selectFrom("call")
        .select(["id", "failureCode"])
        .where("workspaceId", "=", workspaceId)
        .where("status", "=", "failed")
        .where("id", ">", last)
        .orderBy("id")
        .limit(batch)
        .execute(),
    );
    for (const row of rows) if (!code || row.failureCode === code) yield row.id;
    const end = rows.at(-1);
    if (!end || rows.length < batch) return;
    last = end.id;
  }
}
