const place = "hearback.next";

interface Start {
  readonly workspaceId?: string;
  /** Where to go afterwards. */
  readonly next?: string | undefined;
}

/** Where signing in elsewhere begins. Where one wanted to go stays in this tab until one is back. */
export function oidcAddress({ workspaceId, next }: Start): string {
  if (next) sessionStorage.setItem(place, next);
  return workspaceId ? `/session/oidc?${new URLSearchParams({ workspace_id: workspaceId })}` : "/session/oidc";
}

/** Where whoever came back from there wanted to go. */
export function takeNext(): string | undefined {
  const next = sessionStorage.getItem(place) ?? undefined;
  sessionStorage.removeItem(place);
  return next;
}
