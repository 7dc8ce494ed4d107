import type { Stack } from "../stack/stack.ts";

/** Number of events of this type per call. */
export async function countEvents(stack: Stack, type: "call.ready" | "call.failed"): Promise<Map<string, number>> {
  const { rows } = await stack.adminDb.query<{ id: string; count: number }>(
    "select data->>'call_id' as id, count(*)::int from event where type = $1 group by 1",
    [type],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Number of calls per status. */
export async function countByState(stack: Stack): Promise<Record<"received" | "ready" | "failed", number>> {
  const { rows } = await stack.adminDb.query<{ status: string; count: number }>(
    "select status, count(*)::int from call group by 1",
  );
  return { received: 0, ready: 0, failed: 0, ...Object.fromEntries(rows.map(({ status, count }) => [status, count])) };
}
