import { emailKey } from "@hearback/contract";
import type { Db } from "../platform/database/database.ts";
import { agentNotFound, userNotAgent } from "./errors.ts";

export type AgentRef = { readonly email: string } | { readonly id: string };

/** Finds a current or former agent and locks the row against erasure. Throws if there is none. */
export async function findAgent(db: Db, workspaceId: string, ref: AgentRef): Promise<{ readonly id: string }> {
  const users = db
    .selectFrom("appUser")
    .select((eb) => ["id", eb.or([eb("role", "=", "agent"), eb("formerAgent", "=", true)]).as("isAgent")])
    .where("workspaceId", "=", workspaceId);
  const matching = "id" in ref ? users.where("id", "=", ref.id) : users.where("emailKey", "=", emailKey(ref.email));
  const user = await matching.forKeyShare().executeTakeFirst();
  if (user?.isAgent) return user;
  const [part, value] = "id" in ref ? (["agent_id", ref.id] as const) : (["agent_email", ref.email] as const);
  throw user ? userNotAgent(part, value, undefined, "retry") : agentNotFound(part, value, "retry");
}
