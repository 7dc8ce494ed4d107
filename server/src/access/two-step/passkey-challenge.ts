import { hash } from "node:crypto";
import { sql } from "kysely";
import type { App } from "../../platform/app.ts";

const challengeSeconds = 300;

/** Binds a challenge to its purpose and session, so that it cannot be answered in another context. */
export type Purpose = { readonly kind: "register"; readonly sessionId: string } | { readonly kind: "sign-in" };

const digestOf = (purpose: Purpose, challenge: string) =>
  hash("sha256", [purpose.kind, purpose.kind === "register" ? purpose.sessionId : "", challenge].join("\0"), "buffer");

/** Stores a challenge for five minutes and deletes expired ones. */
export async function storeChallenge(app: App, purpose: Purpose, challenge: string): Promise<void> {
  await sql`
    with expired as (delete from passkey_challenge where expires_at < now())
    insert into passkey_challenge (digest, expires_at)
    values (${digestOf(purpose, challenge)}, now() + make_interval(secs => ${challengeSeconds}))`.execute(app.db);
}

/** Redeems a stored challenge. Returns true once, even under concurrent requests. */
export async function redeemChallenge(app: App, purpose: Purpose, challenge: string): Promise<boolean> {
  const { rows } = await sql`
    delete from passkey_challenge where digest = ${digestOf(purpose, challenge)} and expires_at > now()
    returning digest`.execute(app.db);
  return rows.length === 1;
}
