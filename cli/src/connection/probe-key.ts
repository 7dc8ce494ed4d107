import { type Client, type LimitsBody, type Scope, ServiceError } from "@hearback/sdk";

/** The permissions of an API key, found with requests that change nothing. */
export interface KeyPermissions {
  readonly limits: LimitsBody;
  readonly scopes: readonly Scope[];
  /** The first campaigns that the key can access. */
  readonly campaigns: readonly string[];
  readonly moreCampaigns: boolean;
}

const campaignsNamed = 5;

export async function probeKey(client: Client, signal?: AbortSignal): Promise<KeyPermissions> {
  // First and alone: a rejected key fails with one request.
  const limits = await client.limits.find({ signal });
  const [mayImport, mayRead, mayReview, mayManage, campaigns] = await Promise.all([
    isAllowed(() => client.calls.import({ ...invalidCall, signal })),
    isAllowed(() => client.calls.page({ limit: 1, signal })),
    isAllowed(() => client.scorecards.discardDraft(unknownId, { signal })),
    isAllowed(() => client.keys.page({ limit: 1, signal })),
    firstCampaigns(client, signal),
  ]);
  const scopes = [mayImport && "import", mayRead && "read", mayReview && "review", mayManage && "manage"] as const;
  return {
    limits,
    scopes: scopes.filter((scope) => scope !== false),
    campaigns: campaigns.slice(0, campaignsNamed),
    moreCampaigns: campaigns.length > campaignsNamed,
  };
}

const unknownId = "00000000-0000-0000-0000-000000000000";

/** An invalid call for a dry run. The service checks the scope before the fields. */
const invalidCall = {
  file: new Blob([]),
  campaignId: "",
  agentEmail: "",
  happenedAt: 0,
  dryRun: true,
};

async function isAllowed(request: () => Promise<unknown>): Promise<boolean> {
  try {
    await request();
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // A key restricted to some campaigns has the scope.
    if (error.status === 403) return error.code === "key_restricted";
    // An older service without this operation.
    if (error.code === "not_found") return false;
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
  read: "search, play and export calls",
  review: "read and write scorecards, reviews, disputes and notes",
  manage: "manage campaigns, people and API keys",
  listen_original: "hear original recordings of calls whose sound is masked",
};

/** "can import calls and create agents (import); …" */
export function describeScopes({ scopes }: KeyPermissions): string {
  if (scopes.length === 0) return "cannot do anything that this command needs";
  return `can ${scopes.map((scope) => `${uses[scope]} (${scope})`).join("; ")}`;
}

export function describeCampaigns({ campaigns, moreCampaigns }: KeyPermissions): string {
  if (campaigns.length === 0) return "none yet; create one before you import calls";
  return `${campaigns.join(", ")}${moreCampaigns ? ", …" : ""}`;
}
