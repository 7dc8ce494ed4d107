import type { App } from "../platform/app.ts";
import type { Caller, Scope } from "../platform/caller.ts";
import { prepared } from "../platform/database/prepared.ts";
import { unauthenticated } from "../platform/errors.ts";
import { hashApiKey, isApiKey } from "./api-key.ts";

/** Revoking takes effect within a second on every process, so nothing found is believed for longer than this. */
const believedMs = 500;
const mostRemembered = 10_000;

interface Found extends Caller {
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
export function openKeyLookup(app: App): (key: unknown) => Promise<Caller> {
  const remembered = new Map<string, Promise<Found | undefined>>();

  async function lookUp(hash: Buffer): Promise<Found | undefined> {
    const [row] = await prepared<KeyRow>(app.db, "find-api-key")`select * from find_api_key(${hash})`;
    if (!row) return undefined;
    const { workspaceId, id: keyId, scopes, campaignIds, expiresAt } = row;
    return { workspaceId, keyId, scopes, campaignIds, expiresAt };
  }

  /** One question to the database for all who ask at once; an answer that fails or says no is not kept. */
  function ask(name: string, hash: Buffer): Promise<Found | undefined> {
    const asked = lookUp(hash);
    const forget = () => {
      if (remembered.get(name) === asked) remembered.delete(name);
    };
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(name, asked);
    // Counted from the question: the answer may have been long on its way.
    setTimeout(forget, believedMs).unref();
    asked.then((found) => {
      if (!found) forget();
    }, forget);
    return asked;
  }

  return async (key) => {
    if (typeof key !== "string" || !isApiKey(key, app.config.cell)) throw unauthenticated();
    const hash = hashApiKey(key);
    const name = hash.toString("base64");
    const found = await (remembered.get(name) ?? ask(name, hash));
    if (!found || (found.expiresAt && found.expiresAt.getTime() <= Date.now())) throw unauthenticated();
    return found;
  };
}
