import type { AgentScore } from "@hearback/sdk";

export interface TeamScores {
  /** null: no team. */
  readonly teamId: string | null;
  readonly agents: readonly AgentScore[];
}

/** Teams by name, those without a team last. Agents by name: never by score. */
export function byTeam(
  agents: readonly AgentScore[],
  teamName: (id: string) => string,
  language: string,
): readonly TeamScores[] {
  const compare = new Intl.Collator(language).compare;
  const groups = [...Map.groupBy(agents, ({ team_id }) => team_id)];
  return groups
    .map(([teamId, of]) => ({
      teamId,
      agents: of.toSorted((a, b) => compare(a.name ?? "", b.name ?? "") || compare(a.agent_id, b.agent_id)),
    }))
    .sort((a, b) => {
      if (a.teamId === null || b.teamId === null) return Number(a.teamId === null) - Number(b.teamId === null);
      return compare(teamName(a.teamId), teamName(b.teamId));
    });
}
