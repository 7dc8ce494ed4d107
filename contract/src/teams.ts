import { z } from "zod";
import { exampleOf } from "./page.ts";
import { Problem } from "./problem.ts";
import { nameUpTo } from "./text.ts";

const TeamName = nameUpTo(100)
  .transform((name) => name.trim())
  .meta({ description: "Unique in the workspace. Case-insensitive.", example: "Support Lyon" });

export const CreateTeamBody = z
  .strictObject({ name: TeamName })
  .meta({ id: "CreateTeam", examples: [{ name: "Support Lyon" }] });

export const ChangeTeamBody = z
  .strictObject({
    name: TeamName.optional(),
    lead_id: z
      .uuid("must be the id of a user")
      .nullable()
      .optional()
      .meta({ description: "Leads the team. Review plans can keep them from reviewing its calls. null: nobody." }),
  })
  .meta({ id: "ChangeTeam", examples: [{ name: "Support Lyon and Dijon" }] });

export const TeamBody = z
  .object({
    id: z.uuid(),
    name: z.string(),
    members: z.int().meta({ description: "Number of users in the team, including deactivated users." }),
    lead_id: z.uuid().nullable().meta({ description: "The user who leads the team." }),
    created_at: z.iso.datetime(),
  })
  .meta({
    id: "Team",
    examples: [
      {
        id: "0190f3c2-6c0b-7d6e-9b0e-3b1f2c4d0f6a",
        name: "Support Lyon",
        members: 12,
        lead_id: null,
        created_at: "2026-11-15T08:00:00.000Z",
      },
    ],
  });
export type TeamBody = z.output<typeof TeamBody>;

export const TeamListBody = z
  .object({ teams: z.array(TeamBody) })
  .meta({ id: "TeamList", examples: [{ teams: [exampleOf(TeamBody)] }] });
export type TeamListBody = z.output<typeof TeamListBody>;

/** 409: includes the existing team, unchanged. */
export const TeamExistsProblem = Problem.extend({
  team: TeamBody.optional().meta({ description: "The existing team. Omitted if the limit of teams is reached." }),
}).meta({ id: "TeamExistsProblem" });
