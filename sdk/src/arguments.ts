import type { RequestOptions } from "./transport.ts";

/** Erases a call, an agent with all calls, or all calls with a metadata entry. */
export type ErasureTarget = RequestOptions &
  (
    | { readonly callId: string }
    | { readonly agentId: string }
    | { readonly metadata: { readonly key: string; readonly value: string } }
  );

/** Holds a call, or all calls of an agent or a campaign. */
export type CreateHold = RequestOptions & { readonly reason: string } & (
    | { readonly callId: string }
    | { readonly agentId: string }
    | { readonly campaignId: string }
  );

export interface SaveTeam extends RequestOptions {
  readonly name: string;
}
