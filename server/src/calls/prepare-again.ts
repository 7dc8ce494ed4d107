import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";
import { lowestUuid } from "../platform/is-uuid.ts";
import { enqueue } from "../platform/queue.ts";
import { type CallDetail, delayedMs, findCallDetail } from "./call-detail.ts";
import { type CallViewer, lockKnownCall } from "./find-call.ts";
import { prepareCall } from "./prepare-call.ts";
import { resetStep } from "./prepare-step.ts";

export interface PreparedAgain extends CallDetail {
  /** False: it waits for the job that it has. */
  readonly queued: boolean;
}

/** Puts a call that failed, or has waited for long, back among those to be prepared. */
export async function prepareAgain(app: App, viewer: CallViewer, callId: string): Promise<PreparedAgain> {
  const { workspaceId } = viewer;
  return inWorkspace(app, workspaceId, async (tx) => {
    const { call, steps } = await findCallDetail(tx, viewer, callId);
    if (call.status === "ready") throw callReady();
    const since = steps[0]?.startedAt ?? call.createdAt;
    if (call.status === "received" && Date.now() - since.getTime() < delayedMs) {
      return { call, steps, queued: false };
    }
    // It may be erased meanwhile, and must not be written about afterwards; or have become ready.
    const locked = await lockKnownCall(tx, viewer, call.id);
    if (locked.status === "ready") throw callReady();
    await tx
      .updateTable("call")
      .set({ status: "received", failureCode: null, failureDetail: null })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", call.id)
      .where("status", "=", "failed")
      .execute();
    await resetStep(tx, { workspaceId, id: call.id });
    await enqueue(tx, prepareCall, { workspaceId, callId: call.id });
    return { ...(await findCallDetail(tx, viewer, call.id)), queued: true };
  });
}

const callReady = () => new AppError("call_ready", "The call is ready: there is nothing to run again.");

const batch = 200;

interface Unsettled {
  readonly status: "failed" | "received";
  /** Only those that failed for this reason. */
  readonly code?: string | undefined;
}

/** The calls that failed, or that are not prepared yet, in the order of their conversations. */
export async function* unsettledCalls(
  app: App,
  workspaceId: string,
  { status, code }: Unsettled,
): AsyncGenerator<string> {
  for (let last = lowestUuid; ; ) {
    const rows = await inWorkspace(app, workspaceId, (tx) =>
      tx
        .selectFrom("call")
        .select(["id", "failureCode"])
        .where("workspaceId", "=", workspaceId)
        .where("status", "=", status)
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
