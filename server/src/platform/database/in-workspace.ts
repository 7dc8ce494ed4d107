import { sql } from "kysely";
import { isUuid } from "../is-uuid.ts";
import type { Db } from "./database.ts";

/**
 * Transaction settings that force index scans and one generic plan per prepared statement and connection. With many
 * partitions, planning costs more than executing, and the statistics of a new month are misleading.
 */
export const genericPlanSettings = {
  plan_cache_mode: "force_generic_plan",
  jit: "off",
  enable_seqscan: "off",
  enable_bitmapscan: "off",
} as const;

/** Runs `work` in a transaction that can access only this workspace (row-level security). */
export async function inWorkspace<T>(
  app: { db: Db },
  workspaceId: string,
  work: (tx: Db) => Promise<T>,
  settings: Readonly<Record<string, string>> = {},
  begin: "begin" | "begin isolation level repeatable read" = "begin",
): Promise<T> {
  if (!isUuid(workspaceId)) throw new Error("the workspace id must be a lowercase UUID");
  return app.db.connection().execute(async (tx) => {
    // One round trip for both statements. `true` limits the settings to the transaction, so that a pooled connection
    // does not keep them.
    const all = Object.entries({ "hearback.workspace": workspaceId, ...settings });
    const set = all.map(([name, value]) => `set_config('${name}', '${value}', true)`).join(", ");
    try {
      // Inside the try: if set_config fails, the transaction has already begun and must be rolled back.
      await sql.raw(`${begin}; select ${set}`).execute(tx);
      const result = await work(tx);
      await sql`commit`.execute(tx);
      return result;
    } catch (error) {
      // Report the original error. If the rollback fails, the pool closes the connection (idle-only-pool.ts).
      await sql`rollback`.execute(tx).catch(() => {});
      throw error;
    }
  });
}

/**
 * Like inWorkspace, but all statements see the same snapshot (repeatable read), so that several small queries give a
 * consistent result. `work` must not write to rows that others write to.
 */
export const inSnapshot = <T>(app: { db: Db }, workspaceId: string, work: (tx: Db) => Promise<T>): Promise<T> =>
  inWorkspace(app, workspaceId, work, {}, "begin isolation level repeatable read");
