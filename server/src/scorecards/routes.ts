import {
  ChangeScorecardBody,
  CreateScorecardBody,
  ListScorecardsQuery,
  ListScorecardVersionsQuery,
  SaveDraftBody,
  ScorecardBody,
  ScorecardDetailBody,
  ScorecardPageBody,
  ScorecardVersionBody,
  ScorecardVersionPageBody,
} from "@hearback/contract";
import { z } from "zod";
import { actingFor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { allRoles, supervisors } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { readIfMatch } from "../platform/http/if-match.ts";
import { route } from "../platform/http/route.ts";
import type { Api } from "../platform/http/server.ts";
import { changeScorecard } from "./change-scorecard.ts";
import { createScorecard } from "./create-scorecard.ts";
import {
  draftChanged,
  draftMissing,
  scorecardInvalid,
  scorecardLimitReached,
  scorecardNotFound,
  scorecardUnchanged,
  scorecardVersionNotFound,
} from "./errors.ts";
import {
  findScorecard,
  findVersion,
  scorecardViewerOf,
  seesEverything,
  toScorecardBody,
  toScorecardDetail,
} from "./find-scorecard.ts";
import { listScorecards } from "./list-scorecards.ts";
import { listVersions, toVersionBody } from "./list-versions.ts";
import { publishScorecard } from "./publish-scorecard.ts";
import { discardDraft, saveDraft } from "./save-draft.ts";

const tag = "Scorecards";
const readable = { tag, access: ["read", "review"], roles: allRoles, campaignKeys: true } as const;
const managed = { tag, access: ["review"], roles: supervisors } as const;
/** A draft has at most 300 KB as JSON; with white space it may be larger. */
const bodyLimit = 500_000;

export function scorecardRoutes(api: Api, app: App): void {
  readRoutes(api, app);
  versionRoutes(api, app);
  changeRoutes(api, app);
  draftRoutes(api, app);
}

function readRoutes(api: Api, app: App): void {
  route(api, {
    ...readable,
    method: "GET",
    path: "/scorecards",
    id: "listScorecards",
    summary: "List scorecards",
    description:
      "Lists the scorecards of the workspace, newest first. Retired ones are included only if requested with `retired`. Agents, reviewers, keys without the `review` scope and keys restricted to campaigns see published scorecards only.",
    query: ListScorecardsQuery,
    answers: { 200: [ScorecardPageBody, "A page of scorecards."] },
  }).handle(async ({ caller, query: { retired = false, campaign_id: campaignId, cursor, limit } }) => {
    const { workspaceId } = caller;
    const viewer = scorecardViewerOf(caller);
    const page = await inWorkspace(app, workspaceId, (tx) =>
      listScorecards(tx, workspaceId, { retired, campaignId, cursor, limit }, viewer),
    );
    return { scorecards: page.scorecards.map((scorecard) => toScorecardBody(scorecard, viewer)), next: page.next };
  });

  route(api, {
    ...readable,
    method: "GET",
    path: "/scorecards/:id",
    id: "getScorecard",
    summary: "Get a scorecard",
    description:
      "Returns a scorecard. For those who may change it, `draft` contains the unpublished changes and what the linter found in them.",
    answers: { 200: [ScorecardDetailBody, "The scorecard."] },
    errors: [scorecardNotFound],
  }).handle(({ caller, params: { id } }) =>
    inWorkspace(app, caller.workspaceId, async (tx) => {
      const viewer = scorecardViewerOf(caller);
      return toScorecardDetail(tx, await findScorecard(tx, caller.workspaceId, id, viewer), viewer);
    }),
  );
}

function versionRoutes(api: Api, app: App): void {
  route(api, {
    ...readable,
    method: "GET",
    path: "/scorecards/:id/versions",
    id: "listScorecardVersions",
    summary: "List versions of a scorecard",
    description: "Lists the published versions without their documents, newest first.",
    query: ListScorecardVersionsQuery,
    answers: { 200: [ScorecardVersionPageBody, "A page of versions."] },
    errors: [scorecardNotFound],
  }).handle(({ caller, params: { id }, query }) =>
    inWorkspace(app, caller.workspaceId, async (tx) => {
      await findScorecard(tx, caller.workspaceId, id, scorecardViewerOf(caller));
      return listVersions(tx, caller.workspaceId, { scorecardId: id, ...query });
    }),
  );

  route(api, {
    ...readable,
    method: "GET",
    path: "/scorecards/:id/versions/:version",
    id: "getScorecardVersion",
    summary: "Get a version of a scorecard",
    description: "Returns a published version with its document. It never changes.",
    params: { version: z.string().regex(/^\d+$/).meta({ example: "3" }) },
    answers: { 200: [ScorecardVersionBody, "The version."] },
    errors: [scorecardNotFound, scorecardVersionNotFound],
  }).handle(({ caller, params: { id, version } }) =>
    inWorkspace(app, caller.workspaceId, async (tx) => {
      await findScorecard(tx, caller.workspaceId, id, scorecardViewerOf(caller));
      if (!/^\d{1,9}$/.test(version)) throw scorecardVersionNotFound(version.slice(0, 20));
      const found = await findVersion(tx, caller.workspaceId, { scorecardId: id, version: Number(version) });
      return toVersionBody(found);
    }),
  );
}

function changeRoutes(api: Api, app: App): void {
  route(api, {
    ...managed,
    method: "POST",
    path: "/scorecards",
    id: "createScorecard",
    summary: "Create a scorecard",
    description:
      "Creates a scorecard with a draft: from a template, from a document, or empty. Reviews are possible once it is published.",
    body: CreateScorecardBody,
    bodyLimit,
    answers: { 201: [ScorecardDetailBody, "Scorecard created."] },
    errors: [scorecardLimitReached],
  }).handle(async ({ caller, body, about }) => {
    const scorecard = await createScorecard(app, actingFor(caller), body);
    about.scorecardId = scorecard.id;
    return scorecard;
  });

  route(api, {
    ...managed,
    method: "PATCH",
    path: "/scorecards/:id",
    id: "changeScorecard",
    summary: "Update a scorecard",
    description:
      "Changes the campaigns that the scorecard is for and the users who decide disputes, or retires it. Omitted fields stay unchanged.",
    body: ChangeScorecardBody,
    answers: { 200: [ScorecardBody, "The updated scorecard."] },
    errors: [scorecardNotFound],
  }).handle(async ({ caller, params: { id }, body, about }) => {
    const { campaign_ids: campaignIds, arbiter_ids: arbiterIds, retired } = body;
    const scorecard = await changeScorecard(app, actingFor(caller), id, { campaignIds, arbiterIds, retired });
    about.scorecardId = id;
    return toScorecardBody(scorecard, seesEverything);
  });
}

function draftRoutes(api: Api, app: App): void {
  route(api, {
    ...managed,
    method: "PUT",
    path: "/scorecards/:id/draft",
    id: "saveScorecardDraft",
    summary: "Save the draft of a scorecard",
    description:
      "Replaces the draft. It may be incomplete: `findings` in the response lists what the linter found. The published versions stay as they are.",
    body: SaveDraftBody,
    bodyLimit,
    ifMatch: true,
    answers: { 200: [ScorecardDetailBody, "The scorecard with the new draft."] },
    errors: [scorecardNotFound, draftChanged],
  }).handle((request) => {
    const { caller, params, body } = request;
    const change = { workspaceId: caller.workspaceId, id: params.id, ifMatch: readIfMatch(request) };
    return saveDraft(app, change, body.document);
  });

  route(api, {
    ...managed,
    method: "DELETE",
    path: "/scorecards/:id/draft",
    id: "discardScorecardDraft",
    summary: "Discard the draft of a scorecard",
    description: "Deletes the draft. The published versions stay as they are.",
    ifMatch: true,
    answers: { 204: "The draft is deleted." },
    errors: [scorecardNotFound, draftChanged],
  }).handle((request) => {
    const { caller, params } = request;
    return discardDraft(app, { ...actingFor(caller), id: params.id, ifMatch: readIfMatch(request) });
  });

  route(api, {
    ...managed,
    method: "POST",
    path: "/scorecards/:id/publish",
    id: "publishScorecard",
    summary: "Publish a scorecard",
    description:
      "Publishes the draft as the next version, which never changes. New reviews use it; existing reviews keep theirs. Refused if the linter finds errors.",
    ifMatch: true,
    answers: { 201: [ScorecardVersionBody, "The new version."] },
    errors: [scorecardNotFound, draftMissing, scorecardUnchanged, draftChanged, scorecardInvalid],
  }).handle(async (request) => {
    const { caller, params, about } = request;
    about.scorecardId = params.id;
    return publishScorecard(app, actingFor(caller), params.id, readIfMatch(request));
  });
}
