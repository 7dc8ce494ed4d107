import { AppError } from "./errors.ts";

export const scopes = ["import", "read", "manage"] as const;
export type Scope = (typeof scopes)[number];

/** On whose behalf a request acts. */
export interface Caller {
  readonly workspaceId: string;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
}

/** Refuses a caller that has none of the given scopes. */
export function requireScope(caller: Caller, ...anyOf: Scope[]): void {
  if (anyOf.some((scope) => caller.scopes.includes(scope))) return;
  throw new AppError(
    "scope_missing",
    `This key has the scope ${caller.scopes.join(", ")}; this needs ${anyOf.join(" or ")}. Use a key made with \`--scope ${anyOf[0]}\`.`,
  );
}
