import { randomUUID } from "node:crypto";
import type { AddPasskeyBody, PasskeyOptionsBody } from "@hearback/contract";
import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import type { App } from "../../platform/app.ts";
import type { SessionCaller } from "../../platform/caller.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { fieldInvalid } from "../../platform/errors.ts";
import { isUuid } from "../../platform/is-uuid.ts";
import { passkeyLimitReached, passkeyNotFound } from "../errors.ts";
import { afterFactorAdded, afterFactorRemoved, lockFactors, requireAnotherFactor } from "./change-factors.ts";
import { findFactors, findMethods, maxPasskeys, type UserRef } from "./find-factors.ts";
import { redeemChallenge, storeChallenge } from "./passkey-challenge.ts";
import { requireRelyingParty } from "./relying-party.ts";
import { toUserHandle } from "./user-handle.ts";

// Lazy import: most processes never register a passkey.
const library = () => import("@simplewebauthn/server");

const passkeysOf = (tx: Db, { workspaceId, userId }: UserRef) =>
  tx.selectFrom("passkey").selectAll().where("workspaceId", "=", workspaceId).where("userId", "=", userId);

/** WebAuthn creation options for the signed-in user: discoverable credential, user verification required. */
export async function beginPasskey(app: App, caller: SessionCaller): Promise<PasskeyOptionsBody> {
  const party = requireRelyingParty(app);
  const { workspaceId, userId, sessionId } = caller;
  const { user, passkeys } = await inWorkspace(app, workspaceId, async (tx) => {
    await lockFactors(app, tx, caller);
    const users = tx.selectFrom("appUser").select(["email", "name"]).where("workspaceId", "=", workspaceId);
    return {
      user: await users.where("id", "=", userId).executeTakeFirstOrThrow(),
      passkeys: await passkeysOf(tx, caller).limit(maxPasskeys).execute(),
    };
  });
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: "Hearback",
    rpID: party.id,
    attestationType: "none",
    userID: toUserHandle(workspaceId, userId),
    userName: user.email,
    userDisplayName: user.name,
    excludeCredentials: passkeys.map(({ credentialId }) => ({ id: credentialId.toString("base64url") })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  await storeChallenge(app, { kind: "register", sessionId }, options.challenge);
  return { ...options };
}

/** Adds the passkey that the browser created. */
export async function addPasskey(app: App, caller: SessionCaller, { name, credential }: AddPasskeyBody) {
  const created = await verify(app, caller, credential as unknown as RegistrationResponseJSON);
  const { workspaceId, userId } = caller;
  return inWorkspace(app, workspaceId, async (tx) => {
    await lockFactors(app, tx, caller);
    const { passkeys } = await findFactors(tx, caller);
    if (passkeys.length >= maxPasskeys) {
      throw passkeyLimitReached(maxPasskeys);
    }
    const first = (await findMethods(tx, caller)).length === 0;
    const added = await tx
      .insertInto("passkey")
      .values({
        workspaceId,
        userId,
        id: randomUUID(),
        name: name.trim(),
        credentialId: Buffer.from(created.id, "base64url"),
        publicKey: Buffer.from(created.publicKey),
        signCount: created.counter,
        transports: credential.response.transports ?? [],
      })
      .onConflict((conflict) => conflict.columns(["workspaceId", "credentialId"]).doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!added) throw refused("exists", "This passkey is already registered.");
    return afterFactorAdded(app, tx, caller, "passkey", { first });
  });
}

async function verify(app: App, { sessionId }: SessionCaller, response: RegistrationResponseJSON) {
  const { id, origin } = requireRelyingParty(app);
  const { verifyRegistrationResponse } = await library();
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  try {
    // We request no attestation. Refuse certificates, because verifying them could fetch URLs they contain.
    const bytes = Uint8Array.from(Buffer.from(response.response.attestationObject, "base64url"));
    const statement = decodeAttestationObject(bytes);
    const withoutCertificate =
      ["none", "packed"].includes(statement.get("fmt")) && statement.get("attStmt").get("x5c") === undefined;
    if (!withoutCertificate) throw new Error("the passkey has an attestation certificate");
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) => redeemChallenge(app, { kind: "register", sessionId }, challenge),
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
    });
    if (verified) return registrationInfo.credential;
  } catch (err) {
    app.log.info({ reason: err instanceof Error ? err.message : "unknown" }, "passkey registration refused");
  }
  throw refused(
    "wrong",
    "The passkey could not be verified: the request expired, or the passkey is for another site. Try again.",
  );
}

const refused = (code: string, detail: string) => fieldInvalid("credential", code, detail);

/** Removes a passkey of the signed-in user. */
export async function removePasskey(app: App, caller: SessionCaller, id: string): Promise<void> {
  const { workspaceId, userId } = caller;
  await inWorkspace(app, workspaceId, async (tx) => {
    await lockFactors(app, tx, caller);
    const { totp, passkeys } = await findFactors(tx, caller);
    const found = isUuid(id) && passkeys.some((passkey) => passkey.id === id);
    if (!found) throw passkeyNotFound();
    const left = passkeys.length - 1 + (totp ? 1 : 0);
    await requireAnotherFactor(tx, caller, left);
    const rows = tx.deleteFrom("passkey").where("workspaceId", "=", workspaceId).where("userId", "=", userId);
    await rows.where("id", "=", id).execute();
    await afterFactorRemoved(app, tx, caller, "passkey", left);
  });
}
