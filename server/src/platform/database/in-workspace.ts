import { sql } from "kysely";
import type { Db } from "./database.ts";

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Runs `work` in a transaction that can see one workspace and no other. */
export async function inWorkspace<T>(app: { db: Db }, workspaceId: string, work: (tx: Db) => Promise<T>): Promise<T> {
  if (!uuid.test(workspaceId)) throw new Error("a workspace id must be a lower-case UUID");
  return app.db.connection().execute(async (tx) => {
    // One round trip for both. `true` ends the setting with the transaction: a pooled connection never carries it on.
    await sql.raw(`begin; select set_config('hearback.workspace', '${workspaceId}', true)`).execute(tx);
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
