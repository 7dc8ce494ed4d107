const refusals = ["agent_not_found", "user_not_agent", "campaign_not_found"] as const;
export type Refusal = (typeof refusals)[number];

/** Whether the service would refuse to import the call, by the reason in the result of a look-up. */
export const isRefusal = (reason: string | undefined): reason is Refusal =>
  (refusals as readonly (string | undefined)[]).includes(reason);
