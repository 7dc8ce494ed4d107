import { sql } from "kysely";
import { isUuid } from "../is-uuid.ts";
import type { Db } from "./database.ts";

/** Runs `work` in a transaction that can see one workspace and no other. */
export async function inWorkspace<T>(app: { db: Db }, workspaceId: string, work: (tx: Db) => Promise<T>): Promise<T> {
  if (!isUuid(workspaceId)) throw new Error("a workspace id must be a lower-case UUID");
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
