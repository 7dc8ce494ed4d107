import { CampaignBody, exampleOf, type Issue } from "@hearback/contract";
import { defineError } from "../platform/errors.ts";

const { id: exampleId } = exampleOf(CampaignBody);
const aboutId = (detail: string, others: readonly Issue[] = []) => ({
  detail: [detail, ...others.map((issue) => issue.detail)].join(" "),
  issues: [{ part: "campaign_id", code: "not_found", detail }, ...others],
});

/** Says that there is no campaign with this id. `suggested`: ids of the campaigns that have it as their name. */
export function noCampaign(id: string, suggested: readonly string[] = []): string {
  const none = `There is no campaign "${id}" in this workspace.`;
  if (suggested.length === 0) return `${none} List campaigns with GET /campaigns or \`campaign list\`.`;
  const ids = suggested.map((each) => `"${each}"`).join(" or ");
  return `${none} Campaigns are identified by their id, not by their name. Did you mean ${ids}?`;
}

export const campaignNotFound = defineError(
  "campaign_not_found",
  (id: string, suggested: readonly string[] = [], others: readonly Issue[] = []) =>
    aboutId(noCampaign(id, suggested), others),
  exampleId,
);
export const campaignArchived = defineError(
  "campaign_archived",
  (id: string, others: readonly Issue[] = []) =>
    aboutId(
      `The campaign "${id}" is archived and does not accept calls. Reactivate it, or import into another campaign.`,
      others,
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
