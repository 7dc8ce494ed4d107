import type { Actor } from "../platform/actor.ts";
import { defineHook } from "../platform/hooks.ts";

interface Reviews {
  readonly workspaceId: string;
  readonly reviewIds: readonly string[];
}

/** The calls of these reviews are no longer drawn ones. Drafts among them go on as picked reviews. */
export const draftsNoLongerDrawn = defineHook<Reviews>("plan.drafts-no-longer-drawn");

/** A picked review is the drawn one from now on. It is locked. */
export const reviewAdopted = defineHook<{ readonly workspaceId: string; readonly reviewId: string }>(
  "plan.review-adopted",
);

/** Drafts about a call that is not reviewed any longer, or by another person. They are locked. */
export const draftsAbandoned = defineHook<Reviews & { readonly callId: string; readonly actor: Actor }>(
  "plan.drafts-abandoned",
);
