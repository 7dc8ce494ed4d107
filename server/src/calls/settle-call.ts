import type { FailureCode } from "@hearback/contract";
import type { Updateable } from "kysely";
import { announce } from "../events/announce.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import type { Call } from "../platform/database/tables.ts";
import type { LearnedAudio } from "./learn-audio.ts";
import { type CallRef, endStep } from "./prepare-step.ts";
import { claimPrepared, type PreparedObjects } from "./store-prepared.ts";

/** Writes what was learned and makes the call ready. A job that runs twice announces it once; false: it was not this one. */
export async function makeReady(
  app: App,
  call: CallRef,
  learned: LearnedAudio,
  objects: PreparedObjects,
): Promise<boolean> {
  const { codec, channels, sampleRate, durationMs } = learned;
  const settled = await inWorkspace(app, call.workspaceId, async (tx) => {
    const settled = await settle(tx, call, {
      ...{ status: "ready", codec, channels, sampleRate, durationMs, ...objects },
      measured: JSON.stringify(learned.measured),
      warnings: JSON.stringify(learned.warnings),
    });
    if (!settled) return false;
    await claimPrepared(tx, objects);
    await endStep(tx, call, { state: "done" });
    await announce(tx, { workspaceId: call.workspaceId, type: "call.ready", data: settled });
    return true;
  });
  if (settled) {
    app.metrics.settledCalls.inc({ outcome: "ready" });
    app.metrics.preparedSeconds.inc(durationMs / 1000);
  }
  return settled;
}

/** Writes why the call cannot be made ready. Asking for it again puts it back among those to be prepared. */
export async function makeFailed(app: App, call: CallRef, code: FailureCode, detail: string): Promise<void> {
  const settled = await inWorkspace(app, call.workspaceId, async (tx) => {
    const settled = await settle(tx, call, { status: "failed", failureCode: code, failureDetail: detail });
    if (!settled) return false;
    await endStep(tx, call, { state: "failed", reasonCode: code, reasonDetail: detail });
    const data = { ...settled, failure: { code, detail } };
    await announce(tx, { workspaceId: call.workspaceId, type: "call.failed", data });
    return true;
  });
  if (settled) app.metrics.settledCalls.inc({ outcome: code });
}

/** The condition is what makes it happen once. */
async function settle(tx: Db, { workspaceId, id }: CallRef, settlement: Updateable<Call>) {
  const row = await tx
    .updateTable("call")
    .set(settlement)
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .where("status", "=", "received")
    .returning(["id", "campaignId", "agentId"])
    .executeTakeFirst();
  return row && { call_id: row.id, campaign_id: row.campaignId, agent_id: row.agentId };
}
