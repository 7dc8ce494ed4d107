import type { Role, Scope } from "@hearback/contract";
import { defineError } from "./errors.ts";

export type { Role, Scope };

interface AnyCaller {
  readonly workspaceId: string;
  /** Restricts the caller to these campaigns; everything else is reported as not found. Null: no restriction. */
  readonly campaignIds: readonly string[] | null;
  /** Restricts the caller to the calls of this agent. Null: no restriction. */
  readonly agentId: string | null;
}

export interface KeyCaller extends AnyCaller {
  readonly kind: "key";
  readonly keyId: string;
  readonly scopes: readonly Scope[];
}

/** A signed-in user with their current role. */
export interface SessionCaller extends AnyCaller {
  readonly kind: "session";
  readonly sessionId: string;
  readonly userId: string;
  readonly role: Role;
  /** The workspace requires a second factor that this session has not passed. */
  readonly twoStepNeeded: boolean;
}

/** The API key or user that a request is authenticated as. */
export type Caller = KeyCaller | SessionCaller;

/** Id of the API key or session, for per-caller limits. */
export const callerId = (caller: Caller) => (caller.kind === "key" ? caller.keyId : caller.sessionId);

/** Role sets for route access, from least to most restrictive. */
export const allRoles = ["agent", "reviewer", "supervisor", "admin"] as const;
export const reviewers = ["reviewer", "supervisor", "admin"] as const;
export const supervisors = ["supervisor", "admin"] as const;

export const scopeMissing = defineError(
  "scope_missing",
  (anyOf: readonly Scope[]) =>
    `This API key lacks the ${anyOf.map((scope) => `\`${scope}\``).join(" or ")} scope. Use a key created with \`--scope ${anyOf[0]}\`.`,
  ["read"],
);
export const roleMissing = defineError(
  "role_missing",
  (anyOf: readonly Role[], role: Role) =>
    `This requires the role ${anyOf.join(" or ")}; yours is ${role}. Ask an administrator of your workspace.`,
  ["admin"],
  "reviewer",
);
export const sessionNeeded = defineError("session_needed");
export const keyRestricted = defineError(
  "key_restricted",
  (campaignIds: readonly string[]) =>
    `This API key is restricted to the campaign${campaignIds.length > 1 ? "s" : ""} ${campaignIds.join(", ")}, but the request concerns the whole workspace. Use a key without this restriction.`,
  ["support-fr"],
);
export const twoStepRequired = defineError("two_step_required");

/** Throws if an API key has none of the given scopes. Sessions pass: their permissions depend on the role. */
export function requireScope(caller: Caller, ...anyOf: Scope[]): void {
  if (caller.kind === "session" || anyOf.some((scope) => caller.scopes.includes(scope))) return;
  throw scopeMissing(anyOf);
}

/** Throws if a user has none of the given roles. API keys pass: their permissions depend on scopes. */
export function requireRole(caller: Caller, ...anyOf: Role[]): void {
  if (caller.kind === "key" || anyOf.includes(caller.role)) return;
  throw roleMissing(anyOf, caller.role);
}

/** Throws for API keys, on routes that need a signed-in user. */
export function requireSession(caller: Caller): SessionCaller {
  if (caller.kind === "session") return caller;
  throw sessionNeeded();
}

/** Throws if the caller is restricted to some campaigns. */
export function requireAllCampaigns({ campaignIds }: Caller): void {
  if (!campaignIds) return;
  throw keyRestricted(campaignIds);
}

/** Throws if the user must set up two-step verification first. */
export function requireTwoStep(caller: Caller): void {
  if (caller.kind === "key" || !caller.twoStepNeeded) return;
  throw twoStepRequired();
}
