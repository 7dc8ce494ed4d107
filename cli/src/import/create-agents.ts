import { type Client, ServiceError } from "@hearback/sdk";
import { explainFailure } from "./explain-failure.ts";
import type { Pace } from "./pace.ts";
import { concernsAll, openStopping, type StopOptions } from "./stopping.ts";

export interface NewAgent {
  readonly email: string;
  readonly name: string;
}

export interface AgentFailure extends NewAgent {
  readonly code: string;
  readonly reason: string;
}

export interface CreateAgentsOptions extends StopOptions {
  /** Its retries should be off: the pace does it. */
  readonly client: Client;
  readonly agents: Iterable<NewAgent>;
  readonly pace: Pace;
  readonly onFailure: (failure: AgentFailure) => void;
  readonly onDone?: ((agent: NewAgent) => void) | undefined;
}

/** Makes sure that every agent is there, without sending anybody an e-mail. One who is there already is left alone. */
export async function createAgents(options: CreateAgentsOptions): Promise<{ created: number; present: number }> {
  const { client, pace, onFailure, onDone } = options;
  const stopping = openStopping(options);
  const counts = { created: 0, present: 0 };
  const agents = options.agents[Symbol.iterator]();

  async function create(agent: NewAgent): Promise<void> {
    const invite = { ...agent, role: "agent", sendInviteEmail: false, signal: stopping.atOnce } as const;
    try {
      await pace.run(() => client.users.invite(invite), { signal: stopping.gently });
      counts.created++;
    } catch (error) {
      // Also when the attempt before arrived and its answer did not.
      if (error instanceof ServiceError && error.code === "user_exists") counts.present++;
      else if (concernsAll(error)) throw error;
      else return onFailure({ email: agent.email, name: agent.name, ...explainFailure(error) });
    }
    onDone?.(agent);
  }

  async function lane(): Promise<void> {
    for (let next = agents.next(); !next.done && !stopping.gently.aborted; next = agents.next())
      await create(next.value).catch(stopping.stop);
  }
  await Promise.all(Array.from({ length: pace.most }, lane));
  stopping.end();
  return counts;
}
