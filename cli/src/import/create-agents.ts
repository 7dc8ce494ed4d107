import { type Client, ServiceError } from "@hearback/sdk";
import { explainFailure } from "./explain-failure.ts";
import type { Pace } from "./pace.ts";
import { concernsAll, openStopping, type StopOptions } from "./stopping.ts";

export interface NewAgent {
  readonly email: string;
  readonly name: string;
}

export interface AgentFailure {
  readonly code: string;
  readonly reason: string;
}

export interface CreateAgentsOptions<Agent extends NewAgent> extends StopOptions {
  /** Its retries should be off: the pace does it. */
  readonly client: Client;
  readonly agents: Iterable<Agent> | AsyncIterable<Agent>;
  readonly pace: Pace;
  /** false if absent. */
  readonly sendInviteEmail?: boolean | undefined;
  readonly onDone?: ((agent: Agent, outcome: "created" | "present") => void) | undefined;
  readonly onFailure: (failure: AgentFailure & Agent) => void;
}

export interface CreatedAgents {
  readonly created: number;
  /** There before. */
  readonly present: number;
  /** Why the others could not be created, by e-mail address in small letters. */
  readonly failed: ReadonlyMap<string, string>;
}

/** Makes sure that every agent is there. One who is there already is left alone. */
export async function createAgents<Agent extends NewAgent>(
  options: CreateAgentsOptions<Agent>,
): Promise<CreatedAgents> {
  const { client, pace, sendInviteEmail = false } = options;
  const stopping = openStopping(options);
  const counts = { created: 0, present: 0 };
  const failed = new Map<string, string>();
  const agents = oneByOne(options.agents);

  async function create({ email, name }: NewAgent): Promise<"created" | "present"> {
    const invite = { email, name, role: "agent", sendInviteEmail, signal: stopping.atOnce } as const;
    try {
      await pace.run(() => client.users.invite(invite), { signal: stopping.gently });
      return "created";
    } catch (error) {
      // Also when the attempt before arrived and its answer did not.
      if (error instanceof ServiceError && error.code === "user_exists") return "present";
      throw error;
    }
  }

  async function settle(agent: Agent): Promise<void> {
    try {
      const outcome = await create(agent);
      counts[outcome]++;
      options.onDone?.(agent, outcome);
    } catch (error) {
      if (concernsAll(error)) throw error;
      const { code, reason } = explainFailure(error);
      failed.set(agent.email.toLowerCase(), reason);
      options.onFailure({ ...agent, code, reason });
    }
  }

  async function lane(): Promise<void> {
    for await (const agent of agents) {
      if (stopping.gently.aborted) return;
      await settle(agent);
    }
  }
  // The first failure that concerns all ends every lane: none goes on behind the back of whoever is told.
  await Promise.all(Array.from({ length: pace.most }, () => lane().catch(stopping.stop)));
  stopping.end();
  return { ...counts, failed };
}

async function* oneByOne<Item>(items: Iterable<Item> | AsyncIterable<Item>): AsyncGenerator<Item> {
  yield* items;
}
