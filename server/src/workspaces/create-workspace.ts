import { randomUUID } from "node:crypto";
import type { App } from "../platform/app.ts";

export async function createWorkspace(app: App, name: string) {
  return app.db.insertInto("workspace").values({ id: randomUUID(), name }).returningAll().executeTakeFirstOrThrow();
}
