import type { ChangeCallBody } from "@hearback/contract";
import { record } from "../audit/record.ts";
import { announce } from "../events/announce.ts";
import { actorOf } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Caller } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { type CallDetail, findCallDetail } from "./call-detail.ts";

export interface CallChange {
  /** Null: as the campaign says. */
  readonly agentChannel: ChangeCallBody["agent_channel"];
}

/** Corrects what is said about a call. Its recording is never touched. */
export async function changeCall(app: App, caller: Caller, id: string, change: CallChange): Promise<CallDetail> {
  const { workspaceId } = caller;
  return inWorkspace(app, workspaceId, async (tx) => {
    const { call } = await findCallDetail(tx, workspaceId, id);
    if (call.agentChannel !== change.agentChannel) {
      await tx
        .updateTable("call")
        .set({ agentChannel: change.agentChannel })
        .where("workspaceId", "=", workspaceId)
        .where("id", "=", call.id)
        .execute();
      const subject = { call_id: call.id, campaign_id: call.campaignId, agent_id: call.agentId };
      const changed = ["agent_channel"];
      await announce(tx, { workspaceId, type: "call.changed", data: { ...subject, changed } });
      const changedCall = await findCallDetail(tx, workspaceId, call.id);
      await record(tx, workspaceId, {
        actor: actorOf(caller),
        action: "call.changed",
        subject: { type: "call", id: call.id },
        data: { changed },
      });
      return changedCall;
    }
    return findCallDetail(tx, workspaceId, call.id);
  });
}
