import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";

/** Returns the calls that no pending job names. Reads both tables in one statement, because the relay moves jobs between them. Takes no row locks. */
export async function callsWithoutJob(db: Db, job: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select data->>'callId' as id from pgboss.job
    where name = ${job} and state < 'completed' and data->>'callId' = any (${[...ids]}::text[])
    union all
    select payload->>'callId' from outgoing_job
    where name = ${job} and payload->>'callId' = any (${[...ids]}::text[])`.execute(db);
  const waiting = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !waiting.has(id));
}
