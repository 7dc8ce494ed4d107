import { type Client, type LimitsBody, type Scope, ServiceError } from "@hearback/sdk";

/** What a key may do, found by trying what changes nothing. */
export interface KeyPowers {
  readonly limits: LimitsBody;
  readonly scopes: readonly Scope[];
  /** The first campaigns that it sees. */
  readonly campaigns: readonly string[];
  readonly moreCampaigns: boolean;
}

const campaignsNamed = 5;

export async function probeKey(client: Client, signal?: AbortSignal): Promise<KeyPowers> {
  // First and alone: a key that is refused is refused once.
  const limits = await client.limits.find({ signal });
  const [mayImport, mayRead, mayManage, campaigns] = await Promise.all([
    allows(() => client.calls.import({ ...nonsense, signal })),
    allows(() => client.calls.page({ limit: 1, signal })),
    allows(() => client.keys.page({ limit: 1, signal })),
    firstCampaigns(client, signal),
  ]);
  const scopes = [mayImport && "import", mayRead && "read", mayManage && "manage"] as const;
  return {
    limits,
    scopes: scopes.filter((scope) => scope !== false),
    campaigns: campaigns.slice(0, campaignsNamed),
    moreCampaigns: campaigns.length > campaignsNamed,
  };
}

/** A call that can never be imported, checked only: whoever may not import hears that first. */
const nonsense = {
  file: new Blob([]),
  campaignId: "",
  agentEmail: "",
  happenedAt: 0,
  dryRun: true,
};

async function allows(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // A key for some campaigns has the scope, and not the whole workspace.
    if (error.status === 403) return error.code === "key_restricted";
    if (error.status === 0 || error.status === 429 || error.status >= 500) throw error;
    return true;
  }
}

async function firstCampaigns(client: Client, signal: AbortSignal | undefined): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of client.campaigns.list({ signal })) {
    ids.push(id);
    if (ids.length > campaignsNamed) break;
  }
  return ids;
}

const uses: Readonly<Record<Scope, string>> = {
  import: "import calls and create agents",
  read: "find, hear and export calls",
  manage: "manage campaigns, people and keys",
};

/** "import calls and create agents (import); …": what the key may do, for a person. */
export function tellScopes({ scopes }: KeyPowers): string {
  if (scopes.length === 0) return "may do nothing that this command does";
  return `may ${scopes.map((scope) => `${uses[scope]} (${scope})`).join("; ")}`;
}

export function tellCampaigns({ campaigns, moreCampaigns }: KeyPowers): string {
  if (campaigns.length === 0) return "none yet; calls are imported into one";
  return `${campaigns.join(", ")}${moreCampaigns ? ", …" : ""}`;
}
