import type { Fingerprint } from "@hearback/sdk";
import type { Entry } from "../manifest/entry.ts";

/** The fields that identify a call on the service. */
export const fingerprintOf = ({ happenedAt, agentEmail, campaignId }: Entry, sha256: string): Fingerprint => ({
  sha256,
  conversation_timestamp: happenedAt,
  agent_email: agentEmail,
  campaign_id: campaignId,
});
