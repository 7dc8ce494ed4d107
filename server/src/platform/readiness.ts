import { sql } from "kysely";
import type { App } from "./app.ts";
import { findPendingMigrations } from "./database/pending-migrations.ts";
import { ReadOnlyDatabase, requireWritable, type ServerState, serverState } from "./database/writable.ts";
import { toAppError } from "./http/problem.ts";

type Readiness =
  | { readonly status: "ready" }
  | { readonly status: "waiting"; readonly reason: string; readonly detail: string };

/** Applications whose database had all migrations. They are never undone. */
const migrated = new WeakSet<App>();

/** Checks that the database responds, accepts writes, and has the migrations of this version. */
export async function checkReadiness(app: App): Promise<Readiness> {
  try {
    const { rows } = await sql.raw<ServerState>(serverState).execute(app.db);
    requireWritable(rows[0]);
    if (!migrated.has(app)) {
      const pending = await findPendingMigrations(app.db);
      if (pending.length > 0)
        return { status: "waiting", reason: "migrations_missing", detail: "Run hearback-server migrate." };
      migrated.add(app);
    }
    return { status: "ready" };
  } catch (error) {
    const { code, message } = toAppError(error);
    return { status: "waiting", reason: code, detail: error instanceof ReadOnlyDatabase ? error.message : message };
  }
}
