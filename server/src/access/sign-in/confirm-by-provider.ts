import type { App } from "../../platform/app.ts";
import type { SessionCaller } from "../../platform/caller.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import type { ProviderClaims } from "../../platform/oidc/provider.ts";
import { markConfirmed } from "../sessions/require-confirmed.ts";
import { findLinkedSubject } from "./provider-identity.ts";

/** Tolerated clock difference to the provider. */
const clockSkewSeconds = 60;

/** Confirms the session if the provider has just re-authenticated its user, or returns why not. */
export async function confirmByProvider(
  app: App,
  caller: SessionCaller,
  { vouched, startedAt }: { readonly vouched: ProviderClaims; readonly startedAt: number },
): Promise<"confirmed" | "oidc_other_account" | "oidc_not_fresh"> {
  const { authenticatedAt } = vouched;
  if (!authenticatedAt || authenticatedAt.getTime() < (startedAt - clockSkewSeconds) * 1000) return "oidc_not_fresh";
  return inWorkspace(app, caller.workspaceId, async (tx) => {
    const subject = await findLinkedSubject(tx, caller, vouched.issuer);
    if (subject !== vouched.subject) return "oidc_other_account";
    await markConfirmed(tx, caller);
    return "confirmed";
  });
}
