import type { Entry } from "../manifest/entry.ts";
import type { Finding } from "../manifest/finding.ts";
import { quote } from "../manifest/finding-codes.ts";
import { ownCopy } from "./gather-findings.ts";

export interface TalliedAgent {
  /** As first written. */
  readonly email: string;
  name: string | undefined;
  readonly firstLine: number;
  rows: number;
  bytes: number;
}

export interface TalliedCampaign {
  readonly firstLine: number;
  rows: number;
}

const mostAgents = 200_000;
const mostCampaigns = 10_000;

/** Remembers whose calls there are, and of which campaigns. */
export function tallyAgents(report: (finding: Finding) => void) {
  const agents = new Map<string, TalliedAgent>();
  const campaigns = new Map<string, TalliedCampaign>();
  let overflow: "agents" | "campaigns" | undefined;

  function addAgent({ agentEmail, agentName, line, bytes }: Entry): void {
    const key = agentEmail.toLowerCase();
    const known = agents.get(key);
    if (known) {
      known.rows++;
      known.bytes += bytes;
      if (agentName === undefined || agentName === known.name) return;
      if (known.name === undefined) known.name = ownCopy(agentName);
      else report(nameDiffers(line, agentEmail, known.name, agentName));
    } else if (agents.size >= mostAgents) overflow = "agents";
    else {
      const name = agentName === undefined ? undefined : ownCopy(agentName);
      agents.set(ownCopy(key), { email: ownCopy(agentEmail), name, firstLine: line, rows: 1, bytes });
    }
  }

  function addCampaign({ campaignId, line }: Entry): void {
    const known = campaigns.get(campaignId);
    if (known) known.rows++;
    else if (campaigns.size >= mostCampaigns) overflow = "campaigns";
    else campaigns.set(ownCopy(campaignId), { firstLine: line, rows: 1 });
  }

  return {
    agents: agents as ReadonlyMap<string, TalliedAgent>,
    campaigns: campaigns as ReadonlyMap<string, TalliedCampaign>,
    add(entry: Entry): void {
      addAgent(entry);
      addCampaign(entry);
    },
    /** More of them than any company has: a wrong column was taken. */
    tooMany(): Finding | undefined {
      if (!overflow) return undefined;
      const most = overflow === "agents" ? mostAgents : mostCampaigns;
      const field = overflow === "agents" ? "agent_email" : "campaign";
      return {
        code: `${overflow}_too_many`,
        level: "error",
        line: undefined,
        detail: `There are more than ${most} different ${overflow}: the column may be another than it seems.`,
        fix: `Say which column it is: --map ${field}=COLUMN.`,
      };
    },
  };
}

const nameDiffers = (line: number, email: string, one: string, other: string): Finding => ({
  code: "agent_name_differs",
  level: "warning",
  line,
  detail: `The agent ${email} is ${quote(one)} before and ${quote(other)} here.`,
  fix: "Nothing needs to be done if it is one person: the first name is taken. Otherwise correct the address.",
});
