import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { keysetPages } from "../../platform/database/pages.ts";
import { enqueue } from "../../platform/queue/queue.ts";
import { type CallDetail, delayedAfterMs, findCallDetail } from "../call/call-detail.ts";
import { type CallViewer, lockVisibleCall } from "../call/find-call.ts";
import { callReady } from "../errors.ts";
import { resetStep } from "./call-step.ts";
import { prepareCall } from "./prepare-call.ts";

export interface RetriedCall extends CallDetail {
  /** False if the call already has a job. */
  readonly queued: boolean;
}

/** Requeues a call that failed or has been waiting for long. */
export async function retryPreparation(app: App, viewer: CallViewer, callId: string): Promise<RetriedCall> {
  const { workspaceId } = viewer;
  return inWorkspace(app, workspaceId, async (tx) => {
    const detail = await findCallDetail(tx, viewer, callId);
    const { call, steps } = detail;
    if (call.status === "ready") throw callReady();
    const since = steps.find(({ step }) => step === "prepare")?.startedAt ?? call.createdAt;
    if (call.status === "received" && Date.now() - since.getTime() < delayedAfterMs) {
      return { ...detail, queued: false };
    }
    // Lock and check again: the call may have been erased or become ready meanwhile.
    const locked = await lockVisibleCall(tx, viewer, call.id);
    if (locked.status === "ready") throw callReady();
    await tx
      .updateTable("call")
      .set({ status: "received", failureCode: null, failureDetail: null })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", call.id)
      .where("status", "=", "failed")
      .execute();
    await resetStep(tx, { workspaceId, id: call.id }, "prepare");
    await enqueue(tx, prepareCall, { workspaceId, callId: call.id });
    return { ...(await findCallDetail(tx, viewer, call.id)), queued: true };
  });
}

const pageSize = 200;

interface Unsettled {
  readonly status: "failed" | "received";
  /** Only calls that failed with this code. */
  readonly code?: string | undefined;
}

/** Iterates over failed or waiting calls in order of conversation time. */
export async function* unsettledCalls(
  app: App,
  workspaceId: string,
  { status, code }: Unsettled,
): AsyncGenerator<string> {
  const read = (after: string, limit: number) =>
    inWorkspace(app, workspaceId, (tx) =>
      tx
        .selectFrom("call")
        .select(["id", "failureCode"])
        .where("workspaceId", "=", workspaceId)
        .where("status", "=", status)
        .where("id", ">", after)
        .orderBy("id")
        .limit(limit)
        .execute(),
    );
  for await (const rows of keysetPages({ read, keyOf: ({ id }) => id, pageSize })) {
    for (const row of rows) if (!code || row.failureCode === code) yield row.id;
  }
}
