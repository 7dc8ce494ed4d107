import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { hasErrorCode } from "../error-code.ts";
import type { Db } from "./database.ts";

export const migrationFolder = join(import.meta.dirname, "migrations");

/** The migrations of this version, in order. */
export const listMigrations = async (folder = migrationFolder) =>
  (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();

/** Without a table, nothing was migrated. Older releases did not let the service read it, so that this one did not migrate. */
const notMigrated = ["42P01", "42501"];

/** The migrations of this version that the database does not have. */
export async function findPendingMigrations(db: Db): Promise<string[]> {
  const all = await listMigrations();
  try {
    const { rows } = await sql<{ name: string }>`select name from migration`.execute(db);
    const applied = new Set(rows.map(({ name }) => name));
    return all.filter((name) => !applied.has(name));
  } catch (error) {
    if (notMigrated.some((code) => hasErrorCode(error, code))) return all;
    throw error;
  }
}
