import type { Finding } from "../manifest/finding.ts";
import type { TalliedAgent } from "./tally-agents.ts";

export interface NewAgent {
  readonly email: string;
  readonly name: string;
}

interface Judged {
  readonly findings: readonly Finding[];
  readonly newAgents: readonly NewAgent[];
  /** Agents whose calls cannot be imported. */
  readonly unknown: ReadonlySet<string>;
  readonly lostRows: number;
  readonly lostBytes: number;
}

/** Says of agents that do not exist whether they can be created; one finding for each who cannot, not one for each row. */
export function judgeAgents(
  agents: ReadonlyMap<string, TalliedAgent>,
  unknownToService: ReadonlySet<string>,
  createAgents: boolean,
): Judged {
  const findings: Finding[] = [];
  const newAgents: NewAgent[] = [];
  const unknown = new Set<string>();
  let lostRows = 0;
  let lostBytes = 0;
  for (const [key, agent] of agents) {
    if (!unknownToService.has(key)) continue;
    const { email, name, rows, bytes } = agent;
    if (createAgents && name !== undefined) {
      newAgents.push({ email, name });
      continue;
    }
    findings.push(createAgents ? nameless(agent) : notThere(agent));
    unknown.add(key);
    lostRows += rows;
    lostBytes += bytes;
  }
  return { findings, newAgents, unknown, lostRows, lostBytes };
}

const rowsOf = ({ rows, firstLine }: TalliedAgent) =>
  `${rows} ${rows === 1 ? "row" : "rows"}, the first in line ${firstLine}`;

const notThere = (agent: TalliedAgent): Finding => ({
  code: "agent_unknown",
  level: "error",
  line: agent.firstLine,
  detail: `There is no agent ${agent.email} (${rowsOf(agent)}).`,
  fix: "Have agents created with --create-agents (a column with their names is needed), or correct the address.",
});

const nameless = (agent: TalliedAgent): Finding => ({
  code: "agent_name_missing",
  level: "error",
  line: agent.firstLine,
  detail: `The agent ${agent.email} has to be created, and no row says the name (${rowsOf(agent)}).`,
  fix: "Fill in a column agent_name, or a list of agents with names: --agents FILE.",
});
