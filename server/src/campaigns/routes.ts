import {
  CampaignBody,
  CampaignId,
  CampaignPageBody,
  ChangeCampaignBody,
  type Channel,
  CreateCampaignBody,
  ListCampaignsQuery,
  type TranscriptionChoiceBody,
} from "@hearback/contract";
import { actingFor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { allRoles, requireRole, supervisors } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { route } from "../platform/http/route.ts";
import type { Api } from "../platform/http/server.ts";
import { toCampaignBody } from "./campaign-body.ts";
import { changeCampaign } from "./change-campaign.ts";
import { createCampaign } from "./create-campaign.ts";
import { campaignExists, campaignNotFound } from "./errors.ts";
import { findCampaign } from "./find-campaign.ts";
import { listCampaigns } from "./list-campaigns.ts";
import type { TranscriptionChoice } from "./transcription-choice.ts";

const tag = "Campaigns";
const readable = { tag, access: ["read", "manage", "import"], roles: allRoles, campaignKeys: true } as const;
const params = { id: CampaignId };

const toChannel = (choice: CampaignBody["agent_channel"]): Channel | null => (choice === "unknown" ? null : choice);

/** The given ones. */
function toTranscription(body: TranscriptionChoiceBody): TranscriptionChoice {
  const { transcription_language, masking, erase_masked_originals } = body;
  const given = {
    transcriptionLanguage: transcription_language,
    masking,
    eraseMaskedOriginals: erase_masked_originals,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

export function campaignRoutes(api: Api, app: App): void {
  readRoutes(api, app);
  changeRoutes(api, app);
}

function readRoutes(api: Api, app: App): void {
  route(api, {
    ...readable,
    method: "GET",
    path: "/campaigns",
    id: "listCampaigns",
    summary: "List campaigns",
    description:
      "Lists the campaigns of the workspace, ordered by id. Archived campaigns are included only if requested with `archived`. A restricted key sees its own campaigns; an agent sees the campaigns in which they have calls.",
    query: ListCampaignsQuery,
    answers: { 200: [CampaignPageBody, "A page of campaigns."] },
  }).handle(async ({ caller: { workspaceId, campaignIds: within, agentId }, query }) => {
    const archived = query.archived === "all" ? "all" : query.archived === "true";
    const page = await inWorkspace(app, workspaceId, (tx) =>
      listCampaigns(tx, workspaceId, { ...query, archived, within, agentId }),
    );
    return { campaigns: page.campaigns.map(toCampaignBody), next: page.next };
  });

  route(api, {
    ...readable,
    method: "GET",
    path: "/campaigns/:id",
    id: "getCampaign",
    summary: "Get a campaign",
    description: "Returns a campaign, including archived campaigns.",
    params,
    answers: { 200: [CampaignBody, "The campaign."] },
    errors: [campaignNotFound],
  }).handle(async ({ caller: { workspaceId, campaignIds: within, agentId }, params: { id } }) =>
    toCampaignBody(await inWorkspace(app, workspaceId, (tx) => findCampaign(tx, workspaceId, id, { within, agentId }))),
  );
}

function changeRoutes(api: Api, app: App): void {
  route(api, {
    method: "POST",
    path: "/campaigns",
    id: "createCampaign",
    tag,
    summary: "Create a campaign",
    description:
      "Creates a campaign. Every call belongs to a campaign. You can treat a 409 as success: the campaign already exists and nothing was changed.",
    access: ["manage"],
    roles: supervisors,
    body: CreateCampaignBody,
    answers: { 201: [CampaignBody, "Campaign created."] },
    errors: [campaignExists],
  }).handle(async ({ caller, body, about }) => {
    const { id, name, agent_channel } = body;
    const transcription = toTranscription(body);
    if (Object.keys(transcription).length > 0) requireRole(caller, "admin");
    const input = { id, name, agentChannel: toChannel(agent_channel), transcription };
    const campaign = await createCampaign(app, actingFor(caller), input);
    about.campaignId = campaign.id;
    return toCampaignBody(campaign);
  });

  route(api, {
    method: "PATCH",
    path: "/campaigns/:id",
    id: "changeCampaign",
    tag,
    summary: "Update a campaign",
    description:
      "Changes, archives or reactivates a campaign. Omitted fields stay unchanged. Only administrators change retention, transcription and masking. An archived campaign keeps its calls and rejects imports (404 `campaign_archived`).",
    access: ["manage"],
    roles: supervisors,
    campaignKeys: true,
    params,
    body: ChangeCampaignBody,
    answers: { 200: [CampaignBody, "The updated campaign."] },
    errors: [campaignNotFound],
  }).handle(async ({ caller, params: { id }, body, about }) => {
    const { name, archived, agent_channel, retention_days: retentionDays } = body;
    const transcription = toTranscription(body);
    // Retention erases calls; transcription may send them to another server, and masking may erase originals.
    if (retentionDays !== undefined || Object.keys(transcription).length > 0) requireRole(caller, "admin");
    const by = { ...actingFor(caller), within: caller.campaignIds };
    const agentChannel = agent_channel && toChannel(agent_channel);
    const campaign = await changeCampaign(app, by, id, {
      name,
      archived,
      agentChannel,
      retentionDays,
      ...transcription,
    });
    about.campaignId = campaign.id;
    return toCampaignBody(campaign);
  });
}
