import type { Db } from "../platform/database/database.ts";
import { notFound } from "../platform/errors.ts";
import type { Workspace } from "./workspace-body.ts";

export async function findWorkspace(tx: Db, id: string, { lock = false } = {}): Promise<Workspace> {
  const found = await tx
    .selectFrom("workspace")
    .selectAll()
    .where("id", "=", id)
    .$if(lock, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  if (!found) throw notFound.withDetail(`There is no workspace ${id}. List workspaces with \`workspace list\`.`);
  return found;
}
