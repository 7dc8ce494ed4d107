import { openCalls } from "./calls.ts";
import { openCampaigns } from "./campaigns.ts";
import { openLimits } from "./limits.ts";
import { type ClientOptions, openTransport } from "./transport.ts";
import { openUsers } from "./users.ts";

/** Everything that a key may do, grouped as the interface is. */
export function createClient(options: ClientOptions) {
  const transport = openTransport(options);
  return {
    calls: openCalls(transport),
    campaigns: openCampaigns(transport),
    limits: openLimits(transport),
    users: openUsers(transport),
    /** Closes the connections that are kept for the next upload. Not needed for a program to end. */
    close: () => transport.close(),
  };
}
export type Client = ReturnType<typeof createClient>;
