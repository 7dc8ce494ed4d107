import type { PasskeyOptionsBody, PasskeySignInBody } from "@hearback/contract";
import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import { networkOf } from "../../platform/client-network.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { passwordSignIn } from "../../users/password-sign-in-setting.ts";
import { signInFailed } from "../errors.ts";
import { type StartedSession, startSession } from "../sessions/start-session.ts";
import type { SignInThrottle } from "../throttle/sign-in-throttle.ts";
import { throttleDigest } from "../throttle/sign-in-throttle-rules.ts";
import { redeemChallenge, storeChallenge } from "./passkey-challenge.ts";
import { requireRelyingParty } from "./relying-party.ts";
import { parseUserHandle } from "./user-handle.ts";

const library = () => import("@simplewebauthn/server");
const throttleKeyOf = (address: string) => throttleDigest("passkey-address", networkOf(address));

/** WebAuthn request options. Passkeys are discoverable, so the browser offers those it has. */
export async function beginPasskeySignIn(
  app: App,
  throttle: SignInThrottle,
  address: string,
): Promise<PasskeyOptionsBody> {
  const { id } = requireRelyingParty(app);
  await throttle.require({ "passkey-address": throttleKeyOf(address) });
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({ rpID: id, userVerification: "required" });
  await storeChallenge(app, { kind: "sign-in" }, options.challenge);
  return { ...options };
}

interface PasskeySignIn {
  readonly credential: PasskeySignInBody["credential"];
  readonly userAgent: string | undefined;
  readonly address: string;
}

/**
 * Signs in with a passkey alone. The device has verified its user (PIN, fingerprint), which makes two factors, so no second
 * step follows. Unknown passkey, invalid signature and deactivated user fail with the same error.
 */
export async function signInByPasskey(
  app: App,
  throttle: SignInThrottle,
  input: PasskeySignIn,
): Promise<StartedSession> {
  const { credential, userAgent, address } = input;
  const owner = parseUserHandle(credential.response.userHandle);
  const passkey = owner && (await findPasskey(app, owner, credential.id));
  const signCount = passkey && (await verify(app, passkey, credential as unknown as AuthenticationResponseJSON));
  if (!passkey || signCount === undefined) throw failed();
  const { workspaceId, userId, id } = passkey;
  const started = await inWorkspace(app, workspaceId, async (tx) => {
    const used = await tx
      .updateTable("passkey")
      .set({ signCount, lastUsedAt: sql<Date>`now()` })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .returning("id")
      .executeTakeFirst();
    // The passkey was removed since it was read.
    if (!used) throw failed();
    const session = { workspaceId, userId, userAgent, address };
    return startSession(app, tx, { ...session, signedInBy: "passkey", secondFactor: "passkey" });
  });
  await throttle.refund([{ kind: "passkey-address", digest: throttleKeyOf(address), blockedUntil: null }]);
  return started;
}

type PasskeyOwner = NonNullable<ReturnType<typeof parseUserHandle>>;
type Passkey = NonNullable<Awaited<ReturnType<typeof findPasskey>>>;

/** Finds the passkey, unless its workspace allows sign-in with the provider only. */
async function findPasskey(app: App, { workspaceId, userId }: PasskeyOwner, credentialId: string) {
  return inWorkspace(app, workspaceId, (tx) =>
    tx
      .selectFrom("passkey")
      .innerJoin("workspace", "workspace.id", "passkey.workspaceId")
      .select(["passkey.workspaceId", "passkey.userId", "passkey.id", "passkey.publicKey", "passkey.signCount"])
      .where("passkey.workspaceId", "=", workspaceId)
      .where("passkey.userId", "=", userId)
      .where("passkey.credentialId", "=", Buffer.from(credentialId, "base64url"))
      .where(passwordSignIn)
      .executeTakeFirst(),
  );
}

/** Returns the new signature counter, or undefined if verification fails. */
async function verify(app: App, passkey: Passkey, response: AuthenticationResponseJSON): Promise<number | undefined> {
  const { id, origin } = requireRelyingParty(app);
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => redeemChallenge(app, { kind: "sign-in" }, challenge),
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: { id: response.id, publicKey: Uint8Array.from(passkey.publicKey), counter: passkey.signCount },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch (err) {
    app.log.info({ reason: err instanceof Error ? err.message : "unknown" }, "passkey sign-in refused");
    return undefined;
  }
}

const failed = () => signInFailed.withDetail("This passkey is not registered here, or the request expired. Try again.");
