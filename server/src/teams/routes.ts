import { ChangeTeamBody, CreateTeamBody, TeamBody, TeamListBody } from "@hearback/contract";
import { actingFor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { reviewers, supervisors } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { route } from "../platform/http/route.ts";
import type { Api } from "../platform/http/server.ts";
import { deleteTeam } from "./delete-team.ts";
import { teamExists, teamLimitReached, teamNotFound } from "./errors.ts";
import { listTeams } from "./find-teams.ts";
import { changeTeam, createTeam } from "./save-team.ts";

const managed = { tag: "Teams", access: ["manage"], roles: supervisors } as const;

export function teamRoutes(api: Api, app: App): void {
  route(api, {
    tag: "Teams",
    access: ["read", "manage"],
    roles: reviewers,
    method: "GET",
    path: "/teams",
    id: "listTeams",
    summary: "List teams",
    description: "Returns all teams of the workspace, ordered by name. A workspace has at most 500.",
    answers: { 200: [TeamListBody, "The teams."] },
  }).handle(async ({ caller: { workspaceId } }) => ({
    teams: await inWorkspace(app, workspaceId, (tx) => listTeams(tx, workspaceId)),
  }));

  route(api, {
    ...managed,
    method: "POST",
    path: "/teams",
    id: "createTeam",
    summary: "Create a team",
    description: "Creates a team of agents. Add users with PATCH /users/{id}.",
    body: CreateTeamBody,
    answers: { 201: [TeamBody, "Team created."] },
    errors: [teamExists, teamLimitReached],
  }).handle(async ({ caller, body: { name }, about }) => {
    const team = await createTeam(app, actingFor(caller), name);
    about.teamId = team.id;
    return team;
  });

  route(api, {
    ...managed,
    method: "PATCH",
    path: "/teams/:id",
    id: "changeTeam",
    summary: "Update a team",
    description: "Renames a team, or says who leads it.",
    body: ChangeTeamBody,
    answers: { 200: [TeamBody, "The updated team."] },
    errors: [teamNotFound, teamExists],
  }).handle(({ caller, params: { id }, body: { name, lead_id: leadId } }) =>
    changeTeam(app, actingFor(caller), id, { name, leadId }),
  );

  route(api, {
    ...managed,
    method: "DELETE",
    path: "/teams/:id",
    id: "deleteTeam",
    summary: "Delete a team",
    description: "Deletes a team. Its members stay and have no team.",
    answers: { 204: "The team is deleted." },
    errors: [teamNotFound],
  }).handle(async ({ caller, params: { id }, about }) => {
    await deleteTeam(app, actingFor(caller), id);
    about.teamId = id;
  });
}
