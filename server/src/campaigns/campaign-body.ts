import type { CampaignBody } from "@hearback/contract";
import type { Selectable } from "kysely";
import type { Campaign as CampaignTable } from "../platform/database/tables.ts";

export type Campaign = Selectable<CampaignTable>;

export function toCampaignBody(campaign: Campaign): CampaignBody {
  return {
    id: campaign.id,
    name: campaign.name,
    agent_channel: (campaign.agentChannel ?? "unknown") as CampaignBody["agent_channel"],
    retention_days: campaign.retentionDays,
    transcription_language: campaign.transcriptionLanguage,
    masking: campaign.masking as CampaignBody["masking"],
    erase_masked_originals: campaign.eraseMaskedOriginals,
    archived: campaign.archivedAt !== null,
    archived_at: campaign.archivedAt?.toISOString() ?? null,
    created_at: campaign.createdAt.toISOString(),
  };
}
