import type { CallFields } from "../manifest/entry.ts";
import type { Finding } from "../manifest/finding.ts";
import { quote } from "../manifest/finding-codes.ts";
import { copyString } from "./group-findings.ts";

export interface CountedCampaign {
  readonly firstLine: number;
  /** Number of importable rows. */
  importable: number;
}

export interface CountedAgent extends CountedCampaign {
  /** Spelled as in the first row. */
  readonly email: string;
  /** The name in the first importable row that has one. */
  name: string | undefined;
  /** Whether a row has a name, including invalid rows. */
  hasName: boolean;
  /** Number of rows, including invalid ones. */
  rows: number;
  importableBytes: number;
}

const maxAgents = 200_000;
const maxCampaigns = 10_000;

/** Counts rows per agent and per campaign. */
export function countAgents(report: (finding: Finding) => void) {
  const agents = new Map<string, CountedAgent>();
  const campaigns = new Map<string, CountedCampaign>();
  let overflow: "agents" | "campaigns" | undefined;

  function findAgent(email: string, line: number): CountedAgent | undefined {
    const key = email.toLowerCase();
    const known = agents.get(key);
    if (known) return known;
    if (agents.size >= maxAgents) {
      overflow = "agents";
      return undefined;
    }
    const added = {
      email: copyString(email),
      name: undefined,
      hasName: false,
      firstLine: line,
      rows: 0,
      importable: 0,
      importableBytes: 0,
    };
    agents.set(copyString(key), added);
    return added;
  }

  function findCampaign(id: string, line: number): CountedCampaign | undefined {
    const known = campaigns.get(id);
    if (known) return known;
    if (campaigns.size >= maxCampaigns) {
      overflow = "campaigns";
      return undefined;
    }
    const added = { firstLine: line, importable: 0 };
    campaigns.set(copyString(id), added);
    return added;
  }

  function compareName(agent: CountedAgent, name: string | undefined, line: number): void {
    if (name === undefined || name === agent.name) return;
    if (agent.name === undefined) agent.name = copyString(name);
    else report(nameDiffers(line, agent.email, agent.name, name));
  }

  return {
    agents: agents as ReadonlyMap<string, CountedAgent>,
    campaigns: campaigns as ReadonlyMap<string, CountedCampaign>,
    /** Counts a row. `importableBytes` is undefined if the row cannot be imported. */
    add({ line, agentEmail, agentName, campaignId }: CallFields & Line, importableBytes: number | undefined): void {
      const importable = importableBytes === undefined ? 0 : 1;
      const agent = agentEmail === undefined ? undefined : findAgent(agentEmail, line);
      if (agent) {
        agent.rows++;
        agent.importable += importable;
        agent.importableBytes += importableBytes ?? 0;
        agent.hasName ||= agentName !== undefined;
        if (importable > 0) compareName(agent, agentName, line);
      }
      const campaign = campaignId === undefined ? undefined : findCampaign(campaignId, line);
      if (campaign) campaign.importable += importable;
    },
    /** An implausible number of agents or campaigns: probably the wrong column. */
    tooMany(): Finding | undefined {
      if (!overflow) return undefined;
      const max = overflow === "agents" ? maxAgents : maxCampaigns;
      const field = overflow === "agents" ? "agent_email" : "campaign";
      return {
        code: `${overflow}_too_many`,
        level: "error",
        line: undefined,
        detail: `More than ${max} different ${overflow}: probably the wrong column.`,
        fix: `Select the right column: --map ${field}=COLUMN.`,
      };
    },
  };
}

export type AgentCounts = ReturnType<typeof countAgents>;

interface Line {
  readonly line: number;
}

const nameDiffers = (line: number, email: string, first: string, second: string): Finding => ({
  code: "agent_name_differs",
  level: "warning",
  line,
  detail: `The agent ${email} is named ${quote(first)} in an earlier row and ${quote(second)} here.`,
  fix: "If this is one person, ignore this: the first name is used. Otherwise correct the address.",
});
