import { emailKey } from "@hearback/contract";
import type { Db } from "../platform/database/database.ts";
import { agentNotFound } from "./errors.ts";

export type AgentRef = { readonly email: string } | { readonly id: string };

/** Finds a current or former agent and locks the row against erasure. Throws if there is none. */
export async function findAgent(db: Db, workspaceId: string, ref: AgentRef): Promise<{ readonly id: string }> {
  const agents = db
    .selectFrom("appUser")
    .select("id")
    .where("workspaceId", "=", workspaceId)
    .where((eb) => eb.or([eb("role", "=", "agent"), eb("formerAgent", "=", true)]));
  const matching = "id" in ref ? agents.where("id", "=", ref.id) : agents.where("emailKey", "=", emailKey(ref.email));
  const agent = await matching.forKeyShare().executeTakeFirst();
  if (agent) return agent;
  const [part, value] = "id" in ref ? (["agent_id", ref.id] as const) : (["agent_email", ref.email] as const);
  throw agentNotFound(part, value, "retry");
}
