import type { ChangeCallBody } from "@hearback/contract";
import { announce } from "../events/announce.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { type CallDetail, findCallDetail } from "./call-detail.ts";

export interface CallChange {
  /** Null: as the campaign says. */
  readonly agentChannel: ChangeCallBody["agent_channel"];
}

/** Corrects what is said about a call. Its recording is never touched. */
export async function changeCall(app: App, workspaceId: string, id: string, change: CallChange): Promise<CallDetail> {
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
      await announce(tx, { workspaceId, type: "call.changed", data: { ...subject, changed: ["agent_channel"] } });
    }
    return findCallDetail(tx, workspaceId, call.id);
  });
}
