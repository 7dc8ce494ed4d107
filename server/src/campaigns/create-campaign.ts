import { randomUUID } from "node:crypto";
import type { Channel } from "@hearback/contract";
import { record } from "../audit/record.ts";
import type { Acting } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";
import { type Campaign, toCampaignBody } from "./campaign-body.ts";
import { findCampaign } from "./find-campaign.ts";

interface NewCampaign {
  /** A person may choose it, such as `support-fr`. */
  readonly id?: string | undefined;
  readonly name: string;
  /** On which channel its agents are; null: it is not known. */
  readonly agentChannel?: Channel | null;
}

/** Makes a campaign. An id that is taken changes nothing. */
export async function createCampaign(app: App, by: Acting, input: NewCampaign): Promise<Campaign> {
  const { workspaceId, actor } = by;
  const id = input.id ?? randomUUID().slice(0, 8);
  const made = await inWorkspace(app, workspaceId, async (tx) => {
    const campaign = await tx
      .insertInto("campaign")
      .values({ workspaceId, id, name: input.name, agentChannel: input.agentChannel ?? null })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (campaign) {
      await record(tx, workspaceId, { actor, action: "campaign.created", subject: { type: "campaign", id } });
    } else if (input.id !== undefined) {
      const standing = await findCampaign(tx, workspaceId, id, { within: null });
      throw new AppError("campaign_exists", `There is a campaign "${id}" already; nothing was changed.`, {
        members: { campaign: toCampaignBody(standing) },
      });
    }
    return campaign;
  });
  // Whoever chose no id does not care which it is.
  return made ?? createCampaign(app, by, input);
}
