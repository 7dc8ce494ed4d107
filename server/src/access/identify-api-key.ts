import type { App } from "../platform/app.ts";
import type { KeyCaller, Scope } from "../platform/caller.ts";
import { prepared } from "../platform/database/prepared.ts";
import { unauthenticated } from "../platform/errors.ts";
import { hashApiKey, isApiKey } from "./api-key.ts";
import { believe } from "./believe.ts";

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

/** Gives a function from a key to its caller. Missing, malformed, unknown, expired and revoked fail alike. */
export function openKeyLookup(app: App): (key: unknown) => Promise<KeyCaller> {
  const find = believe(async (hash): Promise<Found | undefined> => {
    const [row] = await prepared<KeyRow>(app.db, "find-api-key")`select * from find_api_key(${hash})`;
    if (!row) return undefined;
    const { workspaceId, id: keyId, scopes, campaignIds, expiresAt } = row;
    return { kind: "key", workspaceId, keyId, scopes, campaignIds, agentId: null, expiresAt };
  });

  return async (key) => {
    if (typeof key !== "string" || !isApiKey(key, app.config.cell)) throw unauthenticated();
    const found = await find(hashApiKey(key));
    if (!found || (found.expiresAt && found.expiresAt.getTime() <= Date.now())) throw unauthenticated();
    return found;
  };
}
