import { emailKey } from "@hearback/contract";
import type { Db } from "../platform/database/database.ts";
import { AppError } from "../platform/errors.ts";

/** How somebody names an agent. */
export type AgentName = { readonly email: string } | { readonly id: string };

/** The agent, whom nobody erases until the transaction ends, or a refusal: a user who never was one is none. */
export async function findAgent(db: Db, workspaceId: string, name: AgentName): Promise<{ readonly id: string }> {
  const agents = db
    .selectFrom("appUser")
    .select("id")
    .where("workspaceId", "=", workspaceId)
    .where((eb) => eb.or([eb("role", "=", "agent"), eb("formerAgent", "=", true)]));
  const named = "id" in name ? agents.where("id", "=", name.id) : agents.where("emailKey", "=", emailKey(name.email));
  const agent = await named.forKeyShare().executeTakeFirst();
  if (agent) return agent;
  const [part, value] = "id" in name ? ["agent_id", name.id] : ["agent_email", name.email];
  const detail = `There is no agent "${value}" in this workspace. Create it with POST /users/invite, then send this again.`;
  throw new AppError("agent_not_found", detail, { issues: [{ part, code: "not_found", detail }] });
}
