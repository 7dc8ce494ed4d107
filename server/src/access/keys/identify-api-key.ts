import type { App } from "../../platform/app.ts";
import type { KeyCaller, Scope } from "../../platform/caller.ts";
import { preparedStatement } from "../../platform/database/prepared-statement.ts";
import { unauthenticated } from "../../platform/errors.ts";
import { cacheLookup } from "../cache-lookup.ts";
import { hashApiKey, isApiKey } from "./api-key.ts";

interface Found extends KeyCaller {
  readonly expiresAt: Date | null;
}

interface KeyRow {
  workspaceId: string;
  id: string;
  scopes: Scope[];
  campaignIds: string[] | null;
  expiresAt: Date | null;
}

/** Returns a function that authenticates an API key. Missing, malformed, unknown, expired and revoked keys fail with the same error. */
export function openKeyLookup(app: App): (key: unknown, onUnknown?: () => void) => Promise<KeyCaller> {
  const find = cacheLookup(async (hash): Promise<Found | undefined> => {
    const [row] = await preparedStatement<KeyRow>(app.db, "find-api-key")`select * from find_api_key(${hash})`;
    if (!row) return undefined;
    const { workspaceId, id: keyId, scopes, campaignIds, expiresAt } = row;
    return { kind: "key", workspaceId, keyId, scopes, campaignIds, agentId: null, expiresAt };
  });

  return async (key, onUnknown) => {
    if (typeof key !== "string" || !isApiKey(key, app.config.cell)) {
      onUnknown?.();
      throw unauthenticated();
    }
    const found = await find(hashApiKey(key), onUnknown);
    if (!found || (found.expiresAt && found.expiresAt.getTime() <= Date.now())) throw unauthenticated();
    return found;
  };
}
