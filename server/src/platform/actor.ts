import type { Caller } from "./caller.ts";

/** Who does something, as the audit log names them: a key by its id, whoever runs the installation, or a job. */
export interface Actor {
  readonly type: "key" | "operator" | "system";
  readonly id: string | null;
}

export const actorOf = (caller: Caller): Actor => ({ type: "key", id: caller.keyId });
/** Somebody at the command line. */
export const operator: Actor = { type: "operator", id: null };
