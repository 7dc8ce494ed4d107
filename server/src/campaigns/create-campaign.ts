import { randomUUID } from "node:crypto";
import type { Channel } from "@hearback/contract";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { type Campaign, toCampaignBody } from "./campaign-body.ts";
import { campaignExists } from "./errors.ts";
import { findCampaign } from "./find-campaign.ts";
import { requirePossibleMasking, type TranscriptionChoice, transcriptionAudit } from "./transcription-choice.ts";

interface NewCampaign {
  /** Chosen by the user, such as `support-fr`; absent: generated. */
  readonly id?: string | undefined;
  readonly name: string;
  /** The audio channel of the agents; null: unknown. */
  readonly agentChannel?: Channel | null;
  /** What differs from the default: no transcripts, and masking in their text. */
  readonly transcription?: TranscriptionChoice;
}

/** Creates a campaign. Throws `campaign_exists` if the id is taken. */
export async function createCampaign(app: App, by: WorkspaceActor, input: NewCampaign): Promise<Campaign> {
  const { workspaceId, actor } = by;
  const { transcription = {} } = input;
  requirePossibleMasking({ masking: "text", eraseMaskedOriginals: false }, transcription);
  const id = input.id ?? randomUUID().slice(0, 8);
  const created = await inWorkspace(app, workspaceId, async (tx) => {
    const campaign = await tx
      .insertInto("campaign")
      .values({ workspaceId, id, name: input.name, agentChannel: input.agentChannel ?? null, ...transcription })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (campaign) {
      await recordAuditEntry(tx, workspaceId, {
        actor,
        action: "campaign.created",
        subject: { type: "campaign", id },
        data: transcriptionAudit(transcription),
      });
    } else if (input.id !== undefined) {
      const existing = await findCampaign(tx, workspaceId, id, { within: null });
      throw campaignExists(toCampaignBody(existing));
    }
    return campaign;
  });
  // A generated id was taken: try another.
  return created ?? createCampaign(app, by, input);
}
