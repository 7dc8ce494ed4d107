import {
  AddPasskeyBody,
  FactorAddedBody,
  PasskeyOptionsBody,
  PasskeySignInBody,
  SessionBody,
} from "@hearback/contract";
import type { App } from "../../platform/app.ts";
import { route } from "../../platform/http/route.ts";
import type { Api } from "../../platform/http/server.ts";
import { openSecondStepCookie } from "../../platform/http/session-cookie.ts";
import {
  confirmationNeeded,
  lastFactor,
  passkeyLimitReached,
  passkeyNotFound,
  passkeysUnavailable,
  signInFailed,
  signInLimited,
} from "../errors.ts";
import { answerSession } from "../sessions/session-routes.ts";
import type { SignInGuard } from "../sign-in/sign-in.ts";
import { addPasskey, beginPasskey, removePasskey } from "./passkeys.ts";
import { ownFactors } from "./routes.ts";
import { beginPasskeySignIn, signInByPasskey } from "./sign-in-by-passkey.ts";

const open = { method: "POST", tag: "Session", access: "public" } as const;

/** Passkeys (WebAuthn): sign-in, and the passkeys of the signed-in user. */
export function passkeyRoutes(api: Api, app: App, guard: SignInGuard): void {
  signInRoutes(api, app, guard);
  passkeyFactorRoutes(api, app);
}

function signInRoutes(api: Api, app: App, { throttle }: SignInGuard): void {
  const pending = openSecondStepCookie(app.config.publicUrl);
  route(api, {
    ...open,
    path: "/session/passkey/options",
    id: "beginPasskeySignIn",
    summary: "Start passkey sign-in",
    description: "Returns options for `navigator.credentials.get`. Complete the sign-in within 5 minutes.",
    answers: { 200: [PasskeyOptionsBody, "Options for the browser."] },
    errors: [signInLimited, passkeysUnavailable],
  }).handle(async ({ ip }, reply) => {
    reply.header("cache-control", "no-store");
    return beginPasskeySignIn(app, throttle, ip);
  });

  route(api, {
    ...open,
    path: "/session/passkey",
    id: "signInByPasskey",
    summary: "Sign in with a passkey",
    description:
      "Sets the session cookie. A passkey replaces both the password and the second step, because the device verifies its user.",
    body: PasskeySignInBody,
    answers: { 200: [SessionBody, "The new session."] },
    errors: [signInFailed],
  }).handle(async (request, reply) => {
    const { credential } = request.body;
    const userAgent = request.headers["user-agent"];
    const started = await signInByPasskey(app, throttle, { credential, userAgent, address: request.ip });
    pending.clear(reply);
    return answerSession(app, request, reply, started);
  });
}

function passkeyFactorRoutes(api: Api, app: App): void {
  route(api, {
    ...ownFactors,
    method: "POST",
    path: "/session/two-step/passkeys/options",
    id: "beginPasskey",
    summary: "Start adding a passkey",
    description:
      "Returns options for `navigator.credentials.create`. Add the passkey within 5 minutes, in the same session. Requires a recent confirmation (`POST /session/confirm`).",
    answers: { 200: [PasskeyOptionsBody, "Options for the browser."] },
    errors: [confirmationNeeded, passkeysUnavailable],
  }).handle(async ({ caller }) => beginPasskey(app, caller));

  route(api, {
    ...ownFactors,
    method: "POST",
    path: "/session/two-step/passkeys",
    id: "addPasskey",
    summary: "Add a passkey",
    description:
      "Adds the passkey that the browser created. Adding your first factor ends your other sessions and returns recovery codes.",
    body: AddPasskeyBody,
    answers: { 201: [FactorAddedBody, "Passkey added."] },
    errors: [confirmationNeeded, passkeysUnavailable, passkeyLimitReached],
  }).handle(async ({ caller, body }) => addPasskey(app, caller, body));

  route(api, {
    ...ownFactors,
    method: "DELETE",
    path: "/session/two-step/passkeys/:id",
    id: "removePasskey",
    summary: "Remove a passkey",
    description: "Requires a recent confirmation (`POST /session/confirm`).",
    answers: { 204: "Passkey removed." },
    errors: [confirmationNeeded, passkeyNotFound, lastFactor],
  }).handle(async ({ caller, params: { id } }) => removePasskey(app, caller, id.toLowerCase()));
}
