import type { Fingerprint } from "@hearback/sdk";
import type { Entry } from "../manifest/entry.ts";

/** What the service knows a call by. */
export const fingerprintOf = ({ happenedAt, agentEmail, campaignId }: Entry, sha256: string): Fingerprint => ({
  sha256,
  conversation_timestamp: happenedAt,
  agent_email: agentEmail,
  campaign_id: campaignId,
});
