import { hash } from "node:crypto";
import { sql } from "kysely";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import type { Vouched } from "../platform/oidc/provider.ts";
import { acceptInvitation } from "../users/accept-invitation.ts";
import { endLinks } from "../users/make-link.ts";
import { findPeople, type Person } from "./find-people.ts";
import { noteFailure } from "./sign-in.ts";
import { type StartedSession, startSession } from "./start-session.ts";

/** How long somebody may take at the provider. */
export const journeySeconds = 600;

interface ProviderSignIn {
  readonly vouched: Vouched;
  /** Where, if it is known. */
  readonly workspaceId: string | undefined;
  readonly userAgent: string | undefined;
}

/** Who is signed in; or who it could be, in several workspaces; or why nobody is. */
export type ProviderOutcome =
  | { readonly kind: "started"; readonly session: StartedSession }
  | { readonly kind: "several"; readonly people: readonly Person[] }
  | { readonly kind: "failed"; readonly code: "oidc_unverified" | "oidc_unknown_person" };

/** Notes that a journey has come back. False: it had already. */
export async function endJourney(app: App, state: string): Promise<boolean> {
  const { rows } = await sql`
    with forgotten as (delete from provider_sign_in where expires_at < now())
    insert into provider_sign_in (digest, expires_at)
    values (${hash("sha256", state, "buffer")}, now() + make_interval(secs => ${journeySeconds}))
    on conflict do nothing returning digest`.execute(app.db);
  return rows.length === 1;
}

/** The longest address that anybody can have. */
const longestEmail = 320;

/** Signs in whom the provider vouches for. Whoever is not of a workspace yet does not become so by this. */
export async function signInByProvider(
  app: App,
  { vouched, workspaceId, userAgent }: ProviderSignIn,
): Promise<ProviderOutcome> {
  const { email, emailVerified } = vouched;
  const named = email === undefined || email.length > longestEmail ? [] : await findPeople(app, email);
  const people = named.filter((person) => !workspaceId || person.workspaceId === workspaceId);
  if (email !== undefined && !emailVerified) {
    // Anybody can say that an address is theirs.
    await noteFailure(app, people);
    return { kind: "failed", code: "oidc_unverified" };
  }
  const [person, another] = people;
  if (!person) return { kind: "failed", code: "oidc_unknown_person" };
  if (another) return { kind: "several", people };
  return { kind: "started", session: await start(app, person, userAgent) };
}

function start(
  app: App,
  { workspaceId, userId, passwordHash }: Person,
  userAgent: string | undefined,
): Promise<StartedSession> {
  return inWorkspace(app, workspaceId, async (tx) => {
    await acceptInvitation(tx, workspaceId, userId);
    // Who is in without a password needs no link to choose one: an invitation is used up by coming.
    if (passwordHash === null) await endLinks(tx, workspaceId, userId);
    return startSession(app, tx, { workspaceId, userId, signedInBy: "oidc", userAgent });
  });
}
