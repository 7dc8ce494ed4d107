import type { Client } from "@hearback/sdk";

interface Asking {
  readonly client: Client;
  readonly campaigns: readonly string[];
  readonly agents: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

export interface Known {
  readonly unknownCampaigns: ReadonlySet<string>;
  readonly unknownAgents: ReadonlySet<string>;
}

const mostAtOnce = 1000;

/**
 * Asks which campaigns and agents the service knows, by looking up calls that cannot be: a key that may only import may
 * do that. An unknown campaign is answered before an unknown agent, so campaigns are asked first.
 */
export async function askService({ client, campaigns, agents, signal }: Asking): Promise<Known> {
  const [anyAgent] = agents;
  if (anyAgent === undefined) return { unknownCampaigns: new Set(), unknownAgents: new Set() };
  const askAll = async (names: readonly string[], pairOf: (name: string) => Pair, reason: string) => {
    const unknown = new Set<string>();
    for (let at = 0; at < names.length; at += mostAtOnce) {
      const some = names.slice(at, at + mostAtOnce);
      const answers = await client.calls.lookUp(
        some.map((name) => noCall(pairOf(name))),
        { signal },
      );
      for (const [index, name] of some.entries()) if (answers[index]?.reason === reason) unknown.add(name);
    }
    return unknown;
  };
  const unknownCampaigns = await askAll(campaigns, (campaign) => ({ campaign, agent: anyAgent }), "campaign_not_found");
  const known = campaigns.find((campaign) => !unknownCampaigns.has(campaign));
  // Without one campaign that exists, nothing can be learned about agents; and nothing can be imported either.
  if (known === undefined) return { unknownCampaigns, unknownAgents: new Set() };
  const unknownAgents = await askAll(agents, (agent) => ({ campaign: known, agent }), "agent_not_found");
  return { unknownCampaigns, unknownAgents };
}

interface Pair {
  readonly campaign: string;
  readonly agent: string;
}

const noCall = ({ campaign, agent }: Pair) => ({
  sha256: "0".repeat(64),
  conversation_timestamp: 946_684_800,
  agent_email: agent,
  campaign_id: campaign,
});
