import { exampleOf, TeamBody } from "@hearback/contract";
import { defineError } from "../platform/errors.ts";

export const teamNotFound = defineError(
  "team_not_found",
  (id: string) => `There is no team ${id} in this workspace. List teams with GET /teams.`,
  exampleOf(TeamBody).id,
);
export const teamExists = defineError(
  "team_exists",
  (team: TeamBody) => ({
    detail: `A team with the name "${team.name}" already exists. Nothing was changed.`,
    members: { team },
  }),
  exampleOf(TeamBody),
);
export const teamLimitReached = defineError(
  "team_limit_reached",
  (max: number) => `This workspace has reached the limit of ${max} teams. Delete a team that you no longer use.`,
  500,
);
