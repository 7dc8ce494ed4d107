import type { Client } from "@hearback/sdk";

/** Ends every session of somebody, or one's own, but the one that asks: also those that no page has listed yet. */
export async function endOthers(
  { list, end }: Pick<Client["session"], "list" | "end">,
  userId?: string,
): Promise<void> {
  const others: string[] = [];
  for await (const { id, current } of list({ userId, limit: 200 })) {
    if (!current) others.push(id);
  }
  for (const id of others) await end(id);
}
