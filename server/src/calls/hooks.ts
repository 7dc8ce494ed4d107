import type { Actor } from "../platform/actor.ts";
import { defineHook } from "../platform/hooks.ts";

interface Calls {
  readonly workspaceId: string;
  readonly callIds: readonly string[];
}

/** The calls can be played, and reviewed. */
export const callsReady = defineHook<Calls>("call.ready");

/** The calls were deleted. Objects that belong to them are marked with the id of the erasure. */
export const callsErased = defineHook<Calls & { readonly erasureId: string }>("call.erased");

/** The call was given to another agent. It is locked. */
export const callMoved = defineHook<{
  readonly workspaceId: string;
  readonly callId: string;
  /** The agent of the call now. */
  readonly agentId: string;
  readonly by: Actor;
}>("call.moved");
