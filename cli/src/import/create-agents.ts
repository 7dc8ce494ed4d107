import type { Client } from "@hearback/sdk";
import { agentExists } from "./agent-exists.ts";
import type { AdaptiveConcurrency } from "./concurrency/adaptive-concurrency.ts";
import { explainFailure } from "./explain-failure.ts";
import { isFatal, openShutdown, type StopOptions } from "./shutdown.ts";

export interface NewAgent {
  readonly email: string;
  readonly name: string;
}

export interface AgentFailure {
  readonly code: string;
  readonly reason: string;
}

export interface CreateAgentsOptions<Agent extends NewAgent> extends StopOptions {
  /** Must have retries off: AdaptiveConcurrency retries. */
  readonly client: Client;
  readonly agents: Iterable<Agent> | AsyncIterable<Agent>;
  readonly concurrency: AdaptiveConcurrency;
  /** Default: false. */
  readonly sendInviteEmail?: boolean | undefined;
  readonly onDone?: ((agent: Agent, outcome: "created" | "present") => void) | undefined;
  readonly onFailure: (failure: AgentFailure & Agent) => void;
}

export interface CreatedAgents {
  readonly created: number;
  /** Existed before. */
  readonly present: number;
  /** Reasons of the failures, by lower-case email address. */
  readonly failed: ReadonlyMap<string, string>;
}

/** Creates the agents that do not exist. Existing agents are left unchanged. */
export async function createAgents<Agent extends NewAgent>(
  options: CreateAgentsOptions<Agent>,
): Promise<CreatedAgents> {
  const { client, concurrency, sendInviteEmail = false } = options;
  const shutdown = openShutdown(options);
  const counts = { created: 0, present: 0 };
  const failed = new Map<string, string>();
  const agents = toAsync(options.agents);

  async function create({ email, name }: NewAgent): Promise<"created" | "present"> {
    const invite = { email, name, role: "agent", sendInviteEmail, signal: shutdown.immediate } as const;
    try {
      await concurrency.run(() => client.users.invite(invite), { signal: shutdown.graceful });
      return "created";
    } catch (error) {
      // Also after a retry whose first attempt succeeded without a response.
      if (agentExists(error)) return "present";
      throw error;
    }
  }

  async function createOrReport(agent: Agent): Promise<void> {
    try {
      const outcome = await create(agent);
      counts[outcome]++;
      options.onDone?.(agent, outcome);
    } catch (error) {
      if (isFatal(error)) throw error;
      const { code, reason } = explainFailure(error);
      failed.set(agent.email.toLowerCase(), reason);
      options.onFailure({ ...agent, code, reason });
    }
  }

  async function worker(): Promise<void> {
    for await (const agent of agents) {
      if (shutdown.graceful.aborted) return;
      await createOrReport(agent);
    }
  }
  // A fatal error in one worker stops all workers.
  await Promise.all(Array.from({ length: concurrency.max }, () => worker().catch(shutdown.stop)));
  shutdown.end();
  return { ...counts, failed };
}

async function* toAsync<Item>(items: Iterable<Item> | AsyncIterable<Item>): AsyncGenerator<Item> {
  yield* items;
}
