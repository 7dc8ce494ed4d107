import type { WorkspaceActor } from "../platform/actor.ts";
import { defineHook } from "../platform/hooks.ts";

export interface UserRef {
  readonly workspaceId: string;
  readonly userId: string;
}

/** The user may no longer review: they became an agent, or were deactivated or erased. */
export const reviewerLeft = defineHook<UserRef>("user.reviewer-left");

/** The user may no longer sign in. Their row is locked. */
export const userDeactivated = defineHook<UserRef & { readonly by: WorkspaceActor }>("user.deactivated");

/** The user's personal data is being deleted. Their row is locked. `userDeactivated` and `reviewerLeft` come first. */
export const userErased = defineHook<UserRef>("user.erased");
