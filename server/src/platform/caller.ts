import type { Scope } from "@hearback/contract";
import { AppError } from "./errors.ts";

export type { Scope };

/** On whose behalf a request acts. */
export interface Caller {
  readonly workspaceId: string;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  /** The campaigns it is restricted to: what belongs to another does not exist for it. Null: all of them. */
  readonly campaignIds: readonly string[] | null;
}

/** Refuses a caller that has none of the given scopes. */
export function requireScope(caller: Caller, ...anyOf: Scope[]): void {
  if (anyOf.some((scope) => caller.scopes.includes(scope))) return;
  throw new AppError(
    "scope_missing",
    `This key has the scope ${caller.scopes.join(", ")}; this needs ${anyOf.join(" or ")}. Use a key made with \`--scope ${anyOf[0]}\`.`,
  );
}

/** Refuses a caller that is restricted to some campaigns. */
export function requireAllCampaigns({ campaignIds }: Caller): void {
  if (!campaignIds) return;
  throw new AppError(
    "key_restricted",
    `This key is restricted to the campaign${campaignIds.length > 1 ? "s" : ""} ${campaignIds.join(", ")}; this concerns the whole workspace. Use a key without a restriction.`,
  );
}
