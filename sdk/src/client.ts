import { openAudit } from "./audit.ts";
import { openCalls } from "./calls.ts";
import { openCampaigns } from "./campaigns.ts";
import { openErasures } from "./erasures.ts";
import { openEvents } from "./events.ts";
import { openHolds } from "./holds.ts";
import { openKeys } from "./keys.ts";
import { openLimits } from "./limits.ts";
import { type ClientOptions, openTransport } from "./transport.ts";
import { openUsers } from "./users.ts";
import { openWebhooks } from "./webhooks.ts";
import { openWorkspace } from "./workspace.ts";

/** Everything that a key may do, grouped as the interface is. */
export function createClient(options: ClientOptions) {
  const transport = openTransport(options);
  return {
    audit: openAudit(transport),
    calls: openCalls(transport),
    campaigns: openCampaigns(transport),
    erasures: openErasures(transport),
    events: openEvents(transport),
    holds: openHolds(transport),
    keys: openKeys(transport),
    limits: openLimits(transport),
    users: openUsers(transport),
    webhooks: openWebhooks(transport),
    workspace: openWorkspace(transport),
    /** Closes the connections that are kept for the next upload. Not needed for a program to end. */
    close: () => transport.close(),
  };
}
export type Client = ReturnType<typeof createClient>;
