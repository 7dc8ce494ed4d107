import type { Client } from "@hearback/sdk";

interface ReferenceOptions {
  readonly client: Client;
  readonly campaigns: readonly string[];
  readonly agents: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

export interface Known {
  readonly unknownCampaigns: ReadonlySet<string>;
  readonly unknownAgents: ReadonlySet<string>;
  /** Email addresses of users who are not agents. */
  readonly otherUsers: ReadonlySet<string>;
}

const batchSize = 1000;

/**
 * Finds the campaigns and agents that the service does not know by looking up calls that cannot exist: the import scope
 * allows no other way. The service reports an unknown campaign before an unknown agent, so campaigns are checked first.
 */
export async function findUnknownReferences({ client, campaigns, agents, signal }: ReferenceOptions): Promise<Known> {
  const [anyAgent] = agents;
  if (anyAgent === undefined) return { unknownCampaigns: new Set(), ...noAgents };
  const askAll = async (names: readonly string[], pairOf: (name: string) => Pair) => {
    const reasons = new Map<string, string | undefined>();
    for (let at = 0; at < names.length; at += batchSize) {
      const some = names.slice(at, at + batchSize);
      const answers = await client.calls.lookUp(
        some.map((name) => impossibleCall(pairOf(name))),
        { signal },
      );
      for (const [index, name] of some.entries()) reasons.set(name, answers[index]?.reason);
    }
    return (reason: string) => new Set(names.filter((name) => reasons.get(name) === reason));
  };
  const campaignsWith = await askAll(campaigns, (campaign) => ({ campaign, agent: anyAgent }));
  const unknownCampaigns = campaignsWith("campaign_not_found");
  const known = campaigns.find((campaign) => !unknownCampaigns.has(campaign));
  // Agents can only be checked with a known campaign. Without one, nothing can be imported anyway.
  if (known === undefined) return { unknownCampaigns, ...noAgents };
  const agentsWith = await askAll(agents, (agent) => ({ campaign: known, agent }));
  return {
    unknownCampaigns,
    unknownAgents: agentsWith("agent_not_found"),
    otherUsers: agentsWith("user_not_agent"),
  };
}

const noAgents = { unknownAgents: new Set<string>(), otherUsers: new Set<string>() };

interface Pair {
  readonly campaign: string;
  readonly agent: string;
}

const impossibleCall = ({ campaign, agent }: Pair) => ({
  sha256: "0".repeat(64),
  conversation_timestamp: 946_684_800,
  agent_email: agent,
  campaign_id: campaign,
});
