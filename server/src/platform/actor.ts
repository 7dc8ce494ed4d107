import type { Caller } from "./caller.ts";

/**
 * Who performed an action, for the audit log: an API key or a user (by id), the server operator, or a background job.
 */
export interface Actor {
  readonly type: "key" | "user" | "operator" | "system";
  readonly id: string | null;
}

export const actorOf = (caller: Caller): Actor =>
  caller.kind === "key" ? { type: "key", id: caller.keyId } : { type: "user", id: caller.userId };
/** A person using the server's command line. */
export const operator: Actor = { type: "operator", id: null };
/** The service itself, in a background job. */
export const system: Actor = { type: "system", id: null };

/** Workspace and actor of an action. For functions that both API callers and operators use. */
export interface WorkspaceActor {
  readonly workspaceId: string;
  readonly actor: Actor;
}

export const actingFor = (caller: Caller): WorkspaceActor => ({
  workspaceId: caller.workspaceId,
  actor: actorOf(caller),
});
export const operatorIn = (workspaceId: string): WorkspaceActor => ({ workspaceId, actor: operator });
