import type { ProofAgent } from "@hearback/draws/proof";

export interface OwnCalls {
  readonly calls: readonly string[];
  /** In the order of their tickets, skipped ones included. */
  readonly drawn: readonly { readonly callId: string; readonly skipped: string | undefined }[];
}

/** The calls in an agent's proof. Undefined: they are not kept any longer. Does not check anything. */
export function readOwnCalls(proof: string): OwnCalls | undefined {
  const line = proof.split("\n")[1];
  if (!line) return undefined;
  const { calls, drawn = [], skipped = [] } = JSON.parse(line) as ProofAgent;
  const reasons = new Map(skipped.map(({ call_id, reason }) => [call_id, reason]));
  return calls && { calls, drawn: drawn.map((callId) => ({ callId, skipped: reasons.get(callId) })) };
}
