import type { Finding } from "../manifest/finding.ts";
import { pluralize } from "../terminal/units.ts";
import type { CountedAgent } from "./count-agents.ts";
import type { Known } from "./find-unknown-references.ts";

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
  { unknownAgents, otherUsers }: Pick<Known, "unknownAgents" | "otherUsers">,
  createAgents: boolean,
): AgentCheck {
  const newAgents: NewAgent[] = [];
  const findings: Finding[] = [];
  const unknown = new Set<string>();
  let invalidRows = 0;
  let invalidBytes = 0;
  for (const [key, agent] of agents) {
    const isOther = otherUsers.has(key);
    if (!isOther && !unknownAgents.has(key)) continue;
    const { email, name, importable, importableBytes, firstLine: line } = agent;
    const creates = createAgents && !isOther;
    if (creates && name !== undefined) newAgents.push({ email, name });
    if (creates && (importable > 0 ? name !== undefined : agent.hasName)) continue;
    const where = ` (${pluralize(agent.rows, "row")}, first on line ${line})`;
    findings.push(isOther ? otherUser({ email, line, where }) : unknownAgent({ email, line, createAgents, where }));
    unknown.add(key);
    invalidRows += importable;
    invalidBytes += importableBytes;
  }
  return { newAgents, findings, unknown, invalidRows, invalidBytes };
}

interface OtherUser {
  readonly email: string;
  readonly line: number;
  /** Added to the first sentence. */
  readonly where?: string;
}

interface UnknownAgent extends OtherUser {
  readonly createAgents: boolean;
}

/** The finding for the email address of a user who is not an agent. */
export const otherUser = ({ email, line, where = "" }: OtherUser): Finding => ({
  code: "agent_other_role",
  level: "error",
  line,
  detail: `${email} is a user of this workspace, but not an agent${where}.`,
  fix: "Use another email address for the agent, or ask an administrator to change the user's role.",
});

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
