import { randomUUID } from "node:crypto";
import type { Channel } from "@hearback/contract";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";

interface NewCampaign {
  readonly id?: string | undefined;
  readonly name: string;
  /** On which channel its agents are; null: it is not known. */
  readonly agentChannel?: Channel | null;
}

/** Makes a campaign. A person may choose its id, such as `support-fr`. Making it again changes nothing. */
export async function createCampaign(app: App, workspaceId: string, input: NewCampaign) {
  const id = input.id ?? randomUUID().slice(0, 8);
  return inWorkspace(app, workspaceId, async (tx) => {
    await tx
      .insertInto("campaign")
      .values({ workspaceId, id, name: input.name, agentChannel: input.agentChannel ?? null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return tx
      .selectFrom("campaign")
      .selectAll()
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
  });
}
