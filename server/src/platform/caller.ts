import type { Role, Scope } from "@hearback/contract";
import { AppError } from "./errors.ts";

export type { Role, Scope };

interface AnyCaller {
  readonly workspaceId: string;
  /** The campaigns it is restricted to: what belongs to another does not exist for it. Null: all of them. */
  readonly campaignIds: readonly string[] | null;
  /** The agent whose calls alone exist for it. Null: everybody's. */
  readonly agentId: string | null;
}

export interface KeyCaller extends AnyCaller {
  readonly kind: "key";
  readonly keyId: string;
  readonly scopes: readonly Scope[];
}

/** A person who is signed in, with the role that they have at this moment. */
export interface SessionCaller extends AnyCaller {
  readonly kind: "session";
  readonly sessionId: string;
  readonly userId: string;
  readonly role: Role;
}

/** On whose behalf a request acts. */
export type Caller = KeyCaller | SessionCaller;

/** By what the caller is told from others of the workspace: limits are counted by it. */
export const callerId = (caller: Caller) => (caller.kind === "key" ? caller.keyId : caller.sessionId);

/** Which roles may call a route, from the many to the few. */
export const anybody = ["agent", "reviewer", "supervisor", "admin"] as const;
export const reviewers = ["reviewer", "supervisor", "admin"] as const;
export const supervisors = ["supervisor", "admin"] as const;

/** Refuses a key that has none of the given scopes. What a person may do is said by their role. */
export function requireScope(caller: Caller, ...anyOf: Scope[]): void {
  if (caller.kind === "session" || anyOf.some((scope) => caller.scopes.includes(scope))) return;
  throw new AppError(
    "scope_missing",
    `This key has the scope ${caller.scopes.join(", ")}; this needs ${anyOf.join(" or ")}. Use a key made with \`--scope ${anyOf[0]}\`.`,
  );
}

/** Refuses a person who has none of the given roles. What a key may do is said by its scopes. */
export function requireRole(caller: Caller, ...anyOf: Role[]): void {
  if (caller.kind === "key" || anyOf.includes(caller.role)) return;
  throw new AppError(
    "role_missing",
    `This needs the role ${anyOf.join(" or ")}, and yours is ${caller.role}. Ask an administrator of your workspace.`,
  );
}

/** Refuses a key where only somebody who is signed in makes sense. */
export function requireSession(caller: Caller): SessionCaller {
  if (caller.kind === "session") return caller;
  throw new AppError(
    "session_needed",
    "This is about somebody who is signed in, and an API key is nobody. Leave x-api-key out and sign in: POST /session.",
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
