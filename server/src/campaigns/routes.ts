import {
  CampaignBody,
  CampaignExistsProblem,
  CampaignPageBody,
  ChangeCampaignBody,
  type Channel,
  CreateCampaignBody,
  ListCampaignsParameters,
  ListCampaignsQuery,
} from "@hearback/contract";
import { z } from "zod";
import { actingFor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { anybody, requireRole, supervisors } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { errorAnswers, problemAnswer, problemAnswerOf } from "../platform/http/error-answers.ts";
import { jsonObject, parseFields } from "../platform/http/parse.ts";
import type { Api } from "../platform/http/server.ts";
import { toCampaignBody } from "./campaign-body.ts";
import { changeCampaign } from "./change-campaign.ts";
import { createCampaign } from "./create-campaign.ts";
import { findCampaign } from "./find-campaign.ts";
import { listCampaigns } from "./list-campaigns.ts";

const readers = { access: ["read", "manage", "import"], roles: anybody, campaignKeys: true } as const;
const tags = ["Campaigns"];
const params = z.object({ id: z.string().max(100).meta({ description: "The campaign's id.", example: "support-fr" }) });
const noCampaign = { 404: problemAnswer("There is no such campaign in this workspace.", "campaign_not_found") };
const members = { missingCode: "member_missing" } as const;

const exists = {
  schema: CampaignExistsProblem,
  members: {
    campaign: {
      ...{ id: "support-fr", name: "Support France", agent_channel: "left", retention_days: 365 },
      ...{ archived: false, archived_at: null, created_at: "2026-11-15T08:00:00.000Z" },
    },
  },
};

const toChannel = (choice: CampaignBody["agent_channel"]): Channel | null => (choice === "unknown" ? null : choice);

export function campaignRoutes(api: Api, app: App): void {
  listRoutes(api, app);
  createRoute(api, app);
  changeRoute(api, app);
}

function listRoutes(api: Api, app: App): void {
  api.get(
    "/campaigns",
    {
      config: readers,
      schema: {
        operationId: "listCampaigns",
        summary: "List the campaigns",
        description:
          "The campaigns of the workspace, in the order of their ids: those that take calls, unless `archived` says otherwise. A key that is restricted to some campaigns sees these, and an agent those in which they have calls.",
        tags,
        querystring: ListCampaignsParameters,
        response: {
          200: CampaignPageBody.describe("A page of campaigns."),
          ...errorAnswers(401, 422, 500, 503),
        },
      },
    },
    async (request) => {
      const { workspaceId, campaignIds: within, agentId } = request.caller;
      const query = parseFields(ListCampaignsQuery, request.query as Record<string, unknown>, members);
      const { cursor, limit } = query;
      const archived = query.archived === "all" ? "all" : query.archived === "true";
      const page = await inWorkspace(app, workspaceId, (tx) =>
        listCampaigns(tx, workspaceId, { archived, cursor, limit, within, agentId }),
      );
      return { campaigns: page.campaigns.map(toCampaignBody), next: page.next };
    },
  );

  api.get(
    "/campaigns/:id",
    {
      config: readers,
      schema: {
        operationId: "findCampaign",
        summary: "Look at a campaign",
        description: "One campaign, archived or not.",
        tags,
        params,
        response: { 200: CampaignBody.describe("The campaign."), ...errorAnswers(401, 500, 503), ...noCampaign },
      },
    },
    async ({ caller: { workspaceId, campaignIds: within, agentId }, params: { id } }) =>
      toCampaignBody(
        await inWorkspace(app, workspaceId, (tx) => findCampaign(tx, workspaceId, id, { within, agentId })),
      ),
  );
}

function createRoute(api: Api, app: App): void {
  api.post(
    "/campaigns",
    {
      config: { access: ["manage"], roles: supervisors },
      schema: {
        operationId: "createCampaign",
        summary: "Make a campaign",
        description:
          "Makes a campaign: where calls are gathered. A 409 may be treated as success: the campaign is there already and nothing was changed.",
        tags,
        body: CreateCampaignBody,
        response: {
          201: CampaignBody.describe("The campaign has been made."),
          ...errorAnswers(400, 401, 403, 413, 422, 500, 503),
          409: problemAnswerOf(
            exists,
            "A campaign with this id exists already; nothing was changed.",
            "campaign_exists",
          ),
        },
      },
    },
    async (request, reply) => {
      const body = parseFields(CreateCampaignBody, jsonObject(request.body), members);
      const { id, name } = body;
      const by = actingFor(request.caller);
      const campaign = await createCampaign(app, by, { id, name, agentChannel: toChannel(body.agent_channel) });
      request.about = { workspaceId: by.workspaceId, campaignId: campaign.id };
      return reply.code(201).send(toCampaignBody(campaign));
    },
  );
}

function changeRoute(api: Api, app: App): void {
  api.patch(
    "/campaigns/:id",
    {
      config: { access: ["manage"], roles: supervisors, campaignKeys: true },
      schema: {
        operationId: "changeCampaign",
        summary: "Change, archive or bring back a campaign",
        description:
          "Changes what is given and nothing else. An archived campaign refuses imports (404 `campaign_archived`) and keeps its calls.",
        tags,
        params,
        body: ChangeCampaignBody,
        response: {
          200: CampaignBody.describe("The campaign as it is now."),
          ...errorAnswers(400, 401, 403, 413, 422, 500, 503),
          ...noCampaign,
        },
      },
    },
    async (request) => {
      const { caller } = request;
      const body = parseFields(ChangeCampaignBody, jsonObject(request.body), members);
      const { name, archived, agent_channel, retention_days: retentionDays } = body;
      // It erases calls.
      if (retentionDays !== undefined) requireRole(caller, "admin");
      const by = { ...actingFor(caller), within: caller.campaignIds };
      const agentChannel = agent_channel && toChannel(agent_channel);
      const campaign = await changeCampaign(app, by, request.params.id, {
        ...{ name, archived, agentChannel, retentionDays },
      });
      request.about = { workspaceId: caller.workspaceId, campaignId: campaign.id };
      return toCampaignBody(campaign);
    },
  );
}
