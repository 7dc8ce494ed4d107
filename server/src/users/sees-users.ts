import type { Caller } from "../platform/caller.ts";

/** Whether the caller may see users who are not agents: signed-in users whose role was checked, and keys for the whole workspace. */
export const seesUsers = (caller: Caller): boolean =>
  caller.kind === "session" ||
  (caller.campaignIds === null && (caller.scopes.includes("manage") || caller.scopes.includes("read")));
