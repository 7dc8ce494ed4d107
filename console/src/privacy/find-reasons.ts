import type { CallItem, Client, EraseWhat, HoldBody } from "@hearback/sdk";

/** A hold, and how many of the calls it keeps. */
export interface Reason {
  readonly hold: HoldBody;
  readonly calls: number;
}

type Held = Pick<CallItem, "id" | "campaign_id"> & { readonly agent: Pick<CallItem["agent"], "id"> };

const covers = (hold: HoldBody, { id, agent, campaign_id }: Held) =>
  hold.call_id === id || hold.agent_id === agent.id || hold.campaign_id === campaign_id;

/** Which holds keep which calls. */
export const reasonsOf = (holds: readonly HoldBody[], calls: readonly Held[]): Reason[] =>
  holds
    .map((hold) => ({ hold, calls: calls.filter((call) => covers(hold, call)).length }))
    .filter((reason) => reason.calls > 0);

/** An answer may be short before the end: so many are read. */
const atMost = { holds: 200, calls: 200, answers: 5 };

/** Because of which holds calls stay, as far as the newest holds and calls tell. */
export async function findReasons(client: Client, what: EraseWhat): Promise<Reason[]> {
  const [{ holds }, calls] = await Promise.all([
    client.holds.page({ state: "active", limit: atMost.holds }),
    concernedCalls(client, what),
  ]);
  return reasonsOf(holds, calls);
}

async function concernedCalls(client: Client, what: EraseWhat): Promise<readonly Held[]> {
  if ("callId" in what) return [await client.calls.find(what.callId)];
  const filter =
    "agentId" in what ? { agent: what.agentId } : { metadata: { [what.metadata.key]: what.metadata.value } };
  const found: CallItem[] = [];
  let after: string | undefined;
  for (let answers = 0; answers < atMost.answers && found.length < atMost.calls; answers++) {
    const { calls, next } = await client.calls.page({ ...filter, after, limit: atMost.calls });
    found.push(...calls);
    if (!next) break;
    after = next;
  }
  return found.slice(0, atMost.calls);
}
