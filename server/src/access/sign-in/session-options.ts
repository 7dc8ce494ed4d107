import type { SessionOptionsBody } from "@hearback/contract";
import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import { cacheResult } from "../../platform/async/single-flight.ts";
import { relyingParty } from "../two-step/relying-party.ts";

/** TTL of a negative result: the query scans every workspace, and the route is public. */
const negativeTtlMs = 2_000;

/** Returns the available sign-in methods. */
export function openSessionOptions(app: App): () => Promise<SessionOptionsBody> {
  const { oidc } = app.config;
  const anyoneCanSignIn = openSignInCheck(app);
  return async () => {
    const isSetUp = await anyoneCanSignIn();
    return {
      password: true,
      oidc: oidc ? { name: oidc.name } : null,
      passkeys: relyingParty(app) !== undefined,
      setup_needed: !isSetUp,
      mail: app.mail !== undefined,
    };
  };
}

/** Whether any user can sign in. A positive result is cached for the life of the process. */
function openSignInCheck({ db, config: { oidc } }: App): () => Promise<boolean> {
  return cacheResult(
    (possible) => (possible ? Number.POSITIVE_INFINITY : negativeTtlMs),
    async () => {
      // With a provider no password is needed, so an existing workspace is enough.
      const { rows } = await sql<{ possible: boolean }>`
        select somebody_can_sign_in()
          or (${oidc !== undefined} and exists (select from workspace where erased_at is null)) as possible`.execute(
        db,
      );
      return rows[0]?.possible ?? false;
    },
  );
}
