import { defineHook } from "../platform/hooks.ts";

/** The team is being deleted. It is locked. */
export const teamDeleted = defineHook<{ readonly workspaceId: string; readonly teamId: string }>("team.deleted");
