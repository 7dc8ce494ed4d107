import type { Client } from "@hearback/sdk";
import type { CallFields } from "../manifest/entry.ts";
import type { Finding } from "../manifest/finding.ts";
import { quote } from "../manifest/finding-codes.ts";
import { checkAgents, otherUser, unknownAgent } from "./check-agents.ts";
import type { AgentCounts, CountedCampaign } from "./count-agents.ts";
import { findUnknownReferences } from "./find-unknown-references.ts";

interface ReferenceOptions {
  readonly client: Client;
  readonly createAgents: boolean;
  readonly signal?: AbortSignal | undefined;
}

type Row = CallFields & { readonly line: number };

/** Looks up the agents and campaigns of all rows, including invalid ones. One finding per agent and campaign. */
export async function checkReferences(counts: AgentCounts, { client, createAgents, signal }: ReferenceOptions) {
  const campaigns = [...counts.campaigns].map(([id, counted]) => ({ id, ...counted }));
  const { unknownCampaigns, ...known } = await findUnknownReferences({
    client,
    campaigns: campaigns.map(({ id }) => id),
    agents: [...counts.agents.keys()],
    signal,
  });
  const agents = checkAgents(counts.agents, known, createAgents);
  const unknown = campaigns.filter(({ id }) => unknownCampaigns.has(id));
  const hasUnknownAgent = ({ agentEmail }: Row) =>
    agentEmail !== undefined && agents.unknown.has(agentEmail.toLowerCase());
  return {
    ...agents,
    findings: [...unknown.map(campaignUnknown), ...agents.findings],
    /** Campaigns of importable rows. */
    campaigns: campaigns.flatMap(({ id, importable }) =>
      importable > 0 ? [{ id, rows: importable, known: !unknownCampaigns.has(id) }] : [],
    ),
    hasUnknownAgent,
    /** The findings of one row. */
    findingsOf(row: Row): Finding[] {
      const { line, agentEmail = "", campaignId: id = "" } = row;
      const findings: Finding[] = [];
      if (known.otherUsers.has(agentEmail.toLowerCase())) findings.push(otherUser({ email: agentEmail, line }));
      else if (hasUnknownAgent(row)) findings.push(unknownAgent({ email: agentEmail, line, createAgents }));
      if (unknownCampaigns.has(id)) findings.push(campaignUnknown({ id, firstLine: line, importable: 0 }));
      return findings;
    },
  };
}

/** Without a line, the finding blocks the import: other rows of the campaign are valid. */
const campaignUnknown = ({ id, firstLine, importable }: CountedCampaign & { readonly id: string }): Finding => ({
  code: "campaign_unknown",
  level: "error",
  line: importable > 0 ? undefined : firstLine,
  detail: `No campaign ${quote(id)} for this API key${importable > 0 ? ` (first on line ${firstLine})` : ""}.`,
  fix: "Correct it, or create the campaign (POST /campaigns, hearback-server campaign create). The API key may be restricted to some campaigns.",
});
