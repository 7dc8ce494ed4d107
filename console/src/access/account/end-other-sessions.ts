import type { Client } from "@hearback/sdk";

/**
 * Ends all sessions of a user except the current one, including sessions on pages not loaded yet. Without `userId`:
 * those of the caller.
 */
export async function endOtherSessions(
  { list, end }: Pick<Client["session"], "list" | "end">,
  userId?: string,
): Promise<void> {
  const others: string[] = [];
  for await (const { id, current } of list({ userId, limit: 200 })) {
    if (!current) others.push(id);
  }
  for (const id of others) await end(id);
}
