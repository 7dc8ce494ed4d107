import type { Db } from "../platform/database/database.ts";
import { AppError } from "../platform/errors.ts";
import type { Workspace } from "./workspace-body.ts";

export async function findWorkspace(tx: Db, id: string, { lock = false } = {}): Promise<Workspace> {
  const found = await tx
    .selectFrom("workspace")
    .selectAll()
    .where("id", "=", id)
    .$if(lock, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  if (!found) throw new AppError("not_found", `There is no workspace ${id}. \`workspace list\` shows them.`);
  return found;
}
