import type { Caller } from "./caller.ts";

/** Who does something, as the audit log names them: a key or a person by its id, whoever runs the installation, or a job. */
export interface Actor {
  readonly type: "key" | "user" | "operator" | "system";
  readonly id: string | null;
}

export const actorOf = (caller: Caller): Actor =>
  caller.kind === "key" ? { type: "key", id: caller.keyId } : { type: "user", id: caller.userId };
/** Somebody at the command line. */
export const operator: Actor = { type: "operator", id: null };
/** The service itself: a job that nobody asked for. */
export const system: Actor = { type: "system", id: null };

/** In which workspace something is done, and by whom: what a verb needs that keys and operators use alike. */
export interface Acting {
  readonly workspaceId: string;
  readonly actor: Actor;
}

export const actingFor = (caller: Caller): Acting => ({ workspaceId: caller.workspaceId, actor: actorOf(caller) });
export const operatorIn = (workspaceId: string): Acting => ({ workspaceId, actor: operator });
