import { CampaignBody, exampleOf } from "@hearback/contract";
import { defineError } from "../platform/errors.ts";

const { id: exampleId } = exampleOf(CampaignBody);
const aboutId = (detail: string) => ({ detail, issues: [{ part: "campaign_id", code: "not_found", detail }] });

export const campaignNotFound = defineError(
  "campaign_not_found",
  (id: string) =>
    aboutId(`There is no campaign "${id}" in this workspace. List campaigns with GET /campaigns or \`campaign list\`.`),
  exampleId,
);
export const campaignArchived = defineError(
  "campaign_archived",
  (id: string) =>
    aboutId(
      `The campaign "${id}" is archived and does not accept calls. Reactivate it, or import into another campaign.`,
    ),
  exampleId,
);
export const campaignExists = defineError(
  "campaign_exists",
  (campaign: CampaignBody) => ({
    detail: `A campaign with the id "${campaign.id}" already exists. Nothing was changed.`,
    members: { campaign },
  }),
  exampleOf(CampaignBody),
);
