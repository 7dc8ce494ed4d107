import { sql } from "kysely";
import type { App } from "./app.ts";
import { ReadOnlyDatabase, requireWritable, type ServerState, serverState } from "./database/writable.ts";
import { toAppError } from "./http/problem.ts";

type Readiness =
  | { readonly status: "ready" }
  | { readonly status: "waiting"; readonly reason: string; readonly detail: string };

/** Checks that the database responds and accepts writes. */
export async function checkReadiness(app: App): Promise<Readiness> {
  try {
    const { rows } = await sql.raw<ServerState>(serverState).execute(app.db);
    requireWritable(rows[0]);
    return { status: "ready" };
  } catch (error) {
    const { code, message } = toAppError(error);
    return { status: "waiting", reason: code, detail: error instanceof ReadOnlyDatabase ? error.message : message };
  }
}
