import { defineHook } from "../platform/hooks.ts";

/** People sign in with the provider only from now on. The workspace is locked. */
export const passwordsTurnedOff = defineHook<{ readonly workspaceId: string }>("workspace.passwords-turned-off");
