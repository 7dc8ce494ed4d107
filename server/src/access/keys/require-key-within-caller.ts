import { findLimits } from "../../limits/find-limits.ts";
import type { App } from "../../platform/app.ts";
import type { Caller } from "../../platform/caller.ts";
import type { Db } from "../../platform/database/database.ts";
import { keyExceedsCaller } from "../errors.ts";

/** Absent when an operator runs the command. */
export interface FromRequest {
  readonly caller?: Caller | undefined;
}

/** A key to create, rotate or extend. */
interface WantedKey {
  /** Absent: a new key, which inherits the limits of the key that creates it. */
  readonly id?: string;
  readonly scopes: readonly string[];
  readonly campaignIds?: readonly string[] | null | undefined;
}

/**
 * Prevents privilege escalation: a key cannot create, rotate or extend a key with more scopes, more campaigns or higher
 * limits than its own. Signed-in administrators and operators may create any key.
 */
export async function requireKeyWithinCaller(
  app: App,
  tx: Db,
  caller: Caller | undefined,
  wanted: WantedKey,
): Promise<void> {
  if (caller?.kind !== "key") return;
  const own: readonly string[] = caller.scopes;
  const more = wanted.scopes.filter((scope) => !own.includes(scope));
  if (more.length > 0) {
    throw keyExceedsCaller(`This API key lacks the scope ${more.join(", ")}, so it cannot grant it to another key.`);
  }
  const { campaignIds } = caller;
  const within = (id: string) => campaignIds?.includes(id) ?? true;
  if (campaignIds && !wanted.campaignIds?.every(within)) {
    throw keyExceedsCaller("This API key is restricted to campaigns, and the other key has access to more.");
  }
  if (wanted.id === undefined || wanted.id === caller.keyId) return;
  const limitsOf = async (keyId: string) =>
    (await findLimits(tx, app.config.limits, { workspaceId: caller.workspaceId, keyId })).limits.key;
  const [callerLimits, targetLimits] = [await limitsOf(caller.keyId), await limitsOf(wanted.id)];
  const names = Object.keys(callerLimits) as (keyof typeof callerLimits)[];
  const higher = names.some(
    (name) => (targetLimits[name] ?? Number.POSITIVE_INFINITY) > (callerLimits[name] ?? Number.POSITIVE_INFINITY),
  );
  if (higher) throw keyExceedsCaller("The other key has higher limits than this API key.");
}
