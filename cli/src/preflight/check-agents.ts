import type { Finding } from "../manifest/finding.ts";
import { pluralize } from "../terminal/units.ts";
import type { CountedAgent } from "./count-agents.ts";

export interface NewAgent {
  readonly email: string;
  readonly name: string;
}

interface AgentCheck {
  readonly newAgents: readonly NewAgent[];
  readonly findings: readonly Finding[];
  /** Agents whose calls cannot be imported, by lower-case email address. */
  readonly unknown: ReadonlySet<string>;
  readonly invalidRows: number;
  readonly invalidBytes: number;
}

/** Splits unknown agents into those that can be created and those that cannot. One finding per agent, not per row. */
export function checkAgents(
  agents: ReadonlyMap<string, CountedAgent>,
  unknownToService: ReadonlySet<string>,
  createAgents: boolean,
): AgentCheck {
  const newAgents: NewAgent[] = [];
  const findings: Finding[] = [];
  const unknown = new Set<string>();
  let invalidRows = 0;
  let invalidBytes = 0;
  for (const [key, agent] of agents) {
    if (!unknownToService.has(key)) continue;
    const { email, name, importable, importableBytes } = agent;
    if (createAgents && name !== undefined) newAgents.push({ email, name });
    if (createAgents && (importable > 0 ? name !== undefined : agent.hasName)) continue;
    const where = ` (${pluralize(agent.rows, "row")}, first on line ${agent.firstLine})`;
    findings.push(unknownAgent({ email, line: agent.firstLine, createAgents, where }));
    unknown.add(key);
    invalidRows += importable;
    invalidBytes += importableBytes;
  }
  return { newAgents, findings, unknown, invalidRows, invalidBytes };
}

interface UnknownAgent {
  readonly email: string;
  readonly line: number;
  readonly createAgents: boolean;
  /** Added to the first sentence. */
  readonly where?: string;
}

/** The finding for an agent that does not exist and is not created. */
export const unknownAgent = ({ email, line, createAgents, where = "" }: UnknownAgent): Finding => ({
  level: "error",
  line,
  ...(createAgents
    ? {
        code: "agent_name_missing",
        detail: `The agent ${email} does not exist and cannot be created without a name${where}.`,
        fix: "Fill in the agent_name column, or pass a list with names: --agents FILE.",
      }
    : {
        code: "agent_unknown",
        detail: `No agent ${email} in this workspace${where}.`,
        fix: "Add --create-agents (requires a column with the agents' names), or correct the address.",
      }),
});
