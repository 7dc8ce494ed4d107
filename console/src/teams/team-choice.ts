import { ServiceError } from "@hearback/sdk";

/** Same as the API. */
export const maxTeamName = 100;

/** ID of a team, no team, or a team that is created when the form is saved. */
export type TeamChoice = string | null | { readonly newName: string };

/** ID of the chosen team. If the name of a new team is taken, the existing team is used. */
export async function resolveTeam(
  choice: TeamChoice,
  create: (name: string) => Promise<{ readonly id: string }>,
): Promise<string | null> {
  if (choice === null || typeof choice === "string") return choice;
  try {
    return (await create(choice.newName.trim())).id;
  } catch (error) {
    const existing = error instanceof ServiceError && error.code === "team_exists" && error.problem?.team;
    if (!existing) throw error;
    return (existing as { readonly id: string }).id;
  }
}
