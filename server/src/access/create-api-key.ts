import { randomUUID } from "node:crypto";
import type { App } from "../platform/app.ts";
import type { Scope } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { hashApiKey, newApiKey } from "./api-key.ts";

interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: Date | undefined;
}

/** Makes a key and gives it, this once: only its hash is kept. */
export async function createApiKey(app: App, workspaceId: string, { name, scopes, expiresAt }: NewKey) {
  const key = newApiKey(app.config.cell);
  const row = {
    workspaceId,
    id: randomUUID(),
    name,
    scopes: [...scopes],
    hash: hashApiKey(key),
    expiresAt: expiresAt ?? null,
  };
  await inWorkspace(app, workspaceId, (tx) => tx.insertInto("apiKey").values(row).execute());
  return { id: row.id, name, scopes: row.scopes, expiresAt: row.expiresAt, key };
}
