import { randomUUID } from "node:crypto";
import type { Db } from "../platform/database/database.ts";

export async function createWorkspace({ db }: { db: Db }, name: string, id: string = randomUUID()) {
  return db.insertInto("workspace").values({ id, name }).returningAll().executeTakeFirstOrThrow();
}
