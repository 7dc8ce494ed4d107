import { hash } from "node:crypto";
import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import type { ProviderClaims } from "../../platform/oidc/provider.ts";
import { acceptInvitation } from "../../users/accept-invitation.ts";
import { endLinks } from "../../users/access-links.ts";
import { hasPassword } from "../../users/has-password.ts";
import { findUsersByEmail } from "../find-users-by-email.ts";
import { type StartedSession, startSession } from "../sessions/start-session.ts";
import { findLinkedSubject, findLinkedUsers, linkAccount, type ProviderUser } from "./provider-identity.ts";
import { recordFailedSignIn } from "./sign-in.ts";

/** Time limit for completing the sign-in at the provider. */
export const oidcFlowSeconds = 600;

interface ProviderSignIn {
  readonly vouched: ProviderClaims;
  /** Absent: any workspace. */
  readonly workspaceId: string | undefined;
  readonly userAgent: string | undefined;
  readonly address: string;
}

/** A session, several workspaces to choose from, or a failure code. */
export type ProviderOutcome =
  | { readonly kind: "started"; readonly session: StartedSession }
  | { readonly kind: "ambiguous"; readonly users: readonly ProviderUser[] }
  | { readonly kind: "failed"; readonly code: "oidc_unverified" | "oidc_unknown_person" | "oidc_other_account" };

/** Redeems the state of an OIDC flow once. Returns false if it was already redeemed (replay). */
export async function redeemOidcState(app: App, state: string): Promise<boolean> {
  const { rows } = await sql`
    with expired as (delete from provider_sign_in where expires_at < now())
    insert into provider_sign_in (digest, expires_at)
    values (${hash("sha256", state, "buffer")}, now() + make_interval(secs => ${oidcFlowSeconds}))
    on conflict do nothing returning digest`.execute(app.db);
  return rows.length === 1;
}

/** Maximum length of an email address. */
const maxEmailLength = 320;

/**
 * Signs in a user authenticated by the provider. Does not create users. The first sign-in finds the user by verified email
 * address and links the account; from then on, only the linked account can sign in as this user.
 */
export async function signInByProvider(app: App, input: ProviderSignIn): Promise<ProviderOutcome> {
  const { vouched, workspaceId, address } = input;
  const { email, emailVerified } = vouched;
  const inRequestedWorkspace = (user: ProviderUser) => !workspaceId || user.workspaceId === workspaceId;
  const linked = (await findLinkedUsers(app, vouched)).filter(inRequestedWorkspace);
  const byEmail =
    email === undefined || email.length > maxEmailLength
      ? []
      : (await findUsersByEmail(app, email)).filter(inRequestedWorkspace);
  if (email !== undefined && !emailVerified) {
    // An unverified email address proves nothing.
    await recordFailedSignIn(app, byEmail, address);
    return { kind: "failed", code: "oidc_unverified" };
  }
  const others = byEmail.filter((user) => !linked.some(({ workspaceId }) => workspaceId === user.workspaceId));
  const { unlinked, linkedToOther } = await partitionByLink(app, others, vouched.issuer);
  const users = [...linked, ...unlinked];
  const [user, another] = users;
  if (another) return { kind: "ambiguous", users };
  if (user) {
    const session = await start(app, user, input);
    if (session) return { kind: "started", session };
  }
  const refused = user ? [user] : linkedToOther;
  if (refused.length === 0) return { kind: "failed", code: "oidc_unknown_person" };
  await recordFailedSignIn(app, refused, address, "other_account");
  return { kind: "failed", code: "oidc_other_account" };
}

/** Separates users without a linked account from those linked to another account. */
async function partitionByLink(app: App, users: readonly ProviderUser[], issuer: string) {
  const unlinked: ProviderUser[] = [];
  const linkedToOther: ProviderUser[] = [];
  for (const user of users) {
    const subject = await inWorkspace(app, user.workspaceId, (tx) => findLinkedSubject(tx, user, issuer));
    (subject === undefined ? unlinked : linkedToOther).push(user);
  }
  return { unlinked, linkedToOther };
}

/** Returns undefined if another account has been linked in the meantime. */
function start(app: App, user: ProviderUser, input: ProviderSignIn): Promise<StartedSession | undefined> {
  const { workspaceId, userId } = user;
  const { userAgent, address, vouched } = input;
  return inWorkspace(app, workspaceId, async (tx) => {
    // Lock the user: linking, unlinking and deactivation must not run concurrently.
    await tx
      .selectFrom("appUser")
      .select("id")
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", userId)
      .forNoKeyUpdate()
      .execute();
    if (!(await linkAccount(tx, user, vouched))) return undefined;
    await acceptInvitation(tx, workspaceId, userId);
    // Signing in with the provider accepts the invitation, so its link is no longer needed.
    if (!(await hasPassword(tx, workspaceId, userId))) await endLinks(tx, workspaceId, userId);
    // Confirmed as of the provider's auth_time, because the provider may have reused an old session.
    const confirmedAt = vouched.authenticatedAt ?? null;
    return startSession(app, tx, { workspaceId, userId, signedInBy: "oidc", userAgent, address, confirmedAt });
  });
}
