import type { CallItem, Client, ErasureTarget, HoldBody } from "@hearback/sdk";

/** Hold and the number of calls it covers. */
export interface BlockingHold {
  readonly hold: HoldBody;
  readonly calls: number;
}

type Held = Pick<CallItem, "id" | "campaign_id"> & { readonly agent: Pick<CallItem["agent"], "id"> };

const covers = (hold: HoldBody, { id, agent, campaign_id }: Held) =>
  hold.call_id === id || hold.agent_id === agent.id || hold.campaign_id === campaign_id;

export const matchHolds = (holds: readonly HoldBody[], calls: readonly Held[]): BlockingHold[] =>
  holds
    .map((hold) => ({ hold, calls: calls.filter((call) => covers(hold, call)).length }))
    .filter((reason) => reason.calls > 0);

/** Responses can be short before the end, so several are read. */
const atMost = { holds: 200, calls: 200, answers: 5 };

/** Holds that block the erasure, as far as the newest holds and calls show. */
export async function findBlockingHolds(client: Client, what: ErasureTarget): Promise<BlockingHold[]> {
  const [{ holds }, calls] = await Promise.all([
    client.holds.page({ state: "active", limit: atMost.holds }),
    callsInScope(client, what),
  ]);
  return matchHolds(holds, calls);
}

async function callsInScope(client: Client, what: ErasureTarget): Promise<readonly Held[]> {
  if ("callId" in what) return [await client.calls.find(what.callId)];
  const filter =
    "agentId" in what ? { agent: what.agentId } : { metadata: { [what.metadata.key]: what.metadata.value } };
  const found: CallItem[] = [];
  let cursor: string | undefined;
  for (let answers = 0; answers < atMost.answers && found.length < atMost.calls; answers++) {
    const { calls, next } = await client.calls.page({ ...filter, cursor, limit: atMost.calls });
    found.push(...calls);
    if (!next) break;
    cursor = next;
  }
  return found.slice(0, atMost.calls);
}
