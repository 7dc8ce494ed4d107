import { sql } from "kysely";
import { isUuid } from "../is-uuid.ts";
import type { Db } from "./database.ts";

/**
 * Settings of a transaction whose prepared statements are planned once a connection, and by their indexes: over many
 * partitions planning costs more than searching, and statistics of a new month would lead it astray.
 */
export const steadyPlans = {
  plan_cache_mode: "force_generic_plan",
  jit: "off",
  enable_seqscan: "off",
  enable_bitmapscan: "off",
} as const;

/** Runs `work` in a transaction that can see one workspace and no other. */
export async function inWorkspace<T>(
  app: { db: Db },
  workspaceId: string,
  work: (tx: Db) => Promise<T>,
  settings: Readonly<Record<string, string>> = {},
): Promise<T> {
  if (!isUuid(workspaceId)) throw new Error("a workspace id must be a lower-case UUID");
  return app.db.connection().execute(async (tx) => {
    // One round trip for both. `true` ends the setting with the transaction: a pooled connection never carries it on.
    const all = Object.entries({ "hearback.workspace": workspaceId, ...settings });
    const set = all.map(([name, value]) => `set_config('${name}', '${value}', true)`).join(", ");
    await sql.raw(`begin; select ${set}`).execute(tx);
    try {
      const result = await work(tx);
      await sql`commit`.execute(tx);
      return result;
    } catch (error) {
      // The first failure is the one to tell; a connection too broken to roll back has rolled back.
      await sql`rollback`.execute(tx).catch(() => {});
      throw error;
    }
  });
}
