import { safeNext } from "./safe-next.ts";

const storageKey = "hearback.next";

interface Start {
  readonly workspaceId?: string;
  /** Path to open after sign-in. */
  readonly next?: string | undefined;
}

/** URL that starts the provider sign-in. Stores `next` in this tab until the provider returns. */
export function oidcUrl({ workspaceId, next }: Start): string {
  if (next) sessionStorage.setItem(storageKey, next);
  return workspaceId ? `/session/oidc?${new URLSearchParams({ workspace_id: workspaceId })}` : "/session/oidc";
}

/** Returns the stored path and deletes it. */
export function takeNext(): string | undefined {
  const next = safeNext(sessionStorage.getItem(storageKey));
  sessionStorage.removeItem(storageKey);
  return next;
}
