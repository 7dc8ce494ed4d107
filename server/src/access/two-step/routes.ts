import {
  ConfirmTotpBody,
  FactorAddedBody,
  NewTotpBody,
  RecoveryCodesBody,
  SecondStepBody,
  SessionBody,
  TwoStepBody,
  TwoStepCountsBody,
} from "@hearback/contract";
import { actingFor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { allRoles } from "../../platform/caller.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { memberMissing } from "../../platform/errors.ts";
import { route } from "../../platform/http/route.ts";
import type { Api } from "../../platform/http/server.ts";
import { openSecondStepCookie } from "../../platform/http/session-cookie.ts";
import { userNotFound } from "../../users/errors.ts";
import {
  confirmationNeeded,
  lastFactor,
  noSecondFactor,
  secondStepExpired,
  secondStepFailed,
  signInLimited,
} from "../errors.ts";
import { requireConfirmed } from "../sessions/require-confirmed.ts";
import { answerSession } from "../sessions/session-routes.ts";
import type { SignInGuard } from "../sign-in/sign-in.ts";
import { countWithoutFactor } from "./count-without-factor.ts";
import { findFactors, requiresTwoStep } from "./find-factors.ts";
import { replaceRecoveryCodes } from "./replace-recovery-codes.ts";
import { resetFactors } from "./reset-factors.ts";
import { finishSecondStep } from "./second-step.ts";
import { beginTotp, confirmTotp, removeTotp } from "./totp-factor.ts";

/** Accessible to users who must set up two-step verification first. */
export const ownFactors = { tag: "Session", access: "session", roles: allRoles, beforeTwoStep: true } as const;

/** Two-step verification: the second step of a sign-in, and the factors of the signed-in user. */
export function twoStepRoutes(api: Api, app: App, guard: SignInGuard): void {
  secondStepRoute(api, app, guard);
  factorRoutes(api, app);
  totpRoutes(api, app);
  adminRoutes(api, app);
}

function secondStepRoute(api: Api, app: App, { throttle }: SignInGuard): void {
  const cookie = openSecondStepCookie(app.config.publicUrl);
  route(api, {
    method: "POST",
    path: "/session/second-step",
    id: "finishSignIn",
    tag: "Session",
    summary: "Complete the second step",
    description:
      "Completes a sign-in that returned `second_step_needed`, with a code from the authenticator app or a recovery code. Send the cookie of that response within 5 minutes. Each code works once. Sets the session cookie.",
    access: "public",
    body: SecondStepBody,
    answers: { 200: [SessionBody, "The new session."] },
    errors: [secondStepFailed, secondStepExpired, signInLimited],
  }).handle(async (request, reply) => {
    const { code, recovery_code: recoveryCode } = request.body;
    if (code === undefined && recoveryCode === undefined) throw memberMissing(["code"]);
    const userAgent = request.headers["user-agent"];
    const input = { pending: cookie.read(request), code, recoveryCode, userAgent, address: request.ip };
    const started = await finishSecondStep(app, throttle, input);
    cookie.clear(reply);
    return answerSession(app, request, reply, started);
  });
}

function factorRoutes(api: Api, app: App): void {
  route(api, {
    ...ownFactors,
    method: "GET",
    path: "/session/two-step",
    id: "getTwoStep",
    summary: "List your second factors",
    description: "Returns your authenticator app, your passkeys and the number of recovery codes left.",
    answers: { 200: [TwoStepBody, "The factors."] },
  }).handle(async ({ caller }) =>
    inWorkspace(app, caller.workspaceId, async (tx) => ({
      ...(await findFactors(tx, caller)),
      required: await requiresTwoStep(tx, caller.workspaceId, caller.role),
    })),
  );

  route(api, {
    ...ownFactors,
    method: "POST",
    path: "/session/two-step/recovery-codes",
    id: "createRecoveryCodes",
    summary: "Create new recovery codes",
    description: "Creates ten recovery codes and invalidates the old ones. Each code replaces the second step once.",
    answers: { 200: [RecoveryCodesBody, "The codes. They are shown only once."] },
    errors: [confirmationNeeded, noSecondFactor],
  }).handle(async ({ caller }) => ({ recovery_codes: await replaceRecoveryCodes(app, caller) }));
}

function totpRoutes(api: Api, app: App): void {
  route(api, {
    ...ownFactors,
    method: "POST",
    path: "/session/two-step/totp",
    id: "beginTotp",
    summary: "Set up an authenticator app",
    description:
      "Returns a secret for an authenticator app (TOTP, RFC 6238). The app becomes a second factor once you confirm a code. Requires a recent confirmation (`POST /session/confirm`).",
    answers: { 200: [NewTotpBody, "The secret, and its URI for a QR code."] },
    errors: [confirmationNeeded],
  }).handle(async ({ caller }) => beginTotp(app, caller));

  route(api, {
    ...ownFactors,
    method: "POST",
    path: "/session/two-step/totp/confirm",
    id: "confirmTotp",
    summary: "Confirm the authenticator app",
    description:
      "Adds the app as a second factor and replaces the previous app. Adding your first factor ends your other sessions and returns recovery codes.",
    body: ConfirmTotpBody,
    answers: { 200: [FactorAddedBody, "Authenticator app added."] },
    errors: [confirmationNeeded],
  }).handle(async ({ caller, body: { code } }) => confirmTotp(app, caller, code));

  route(api, {
    ...ownFactors,
    method: "DELETE",
    path: "/session/two-step/totp",
    id: "removeTotp",
    summary: "Remove the authenticator app",
    description: "Requires a recent confirmation (`POST /session/confirm`). Idempotent.",
    answers: { 204: "Authenticator app removed." },
    errors: [confirmationNeeded, lastFactor],
  }).handle(async ({ caller }) => removeTotp(app, caller));
}

function adminRoutes(api: Api, app: App): void {
  route(api, {
    method: "GET",
    path: "/workspace/two-step",
    id: "getTwoStepCounts",
    tag: "Workspace",
    summary: "Count users without a second factor",
    description: "Counts active users who have a password and no second factor.",
    access: ["manage"],
    answers: { 200: [TwoStepCountsBody, "The counts."] },
  }).handle(async ({ caller: { workspaceId } }) =>
    inWorkspace(app, workspaceId, (tx) => countWithoutFactor(tx, workspaceId)),
  );

  route(api, {
    method: "DELETE",
    path: "/users/:id/two-step",
    id: "resetTwoStep",
    tag: "Users",
    summary: "Reset a user's second factors",
    description:
      "Removes a user's authenticator app, passkeys and recovery codes and ends their sessions, for example after a lost phone. A session needs a recent confirmation (`POST /session/confirm`).",
    access: ["manage"],
    answers: { 204: "Second factors removed." },
    errors: [confirmationNeeded, userNotFound],
  }).handle(async ({ caller, params: { id }, about }) => {
    await resetFactors(app, actingFor(caller), id.toLowerCase(), async (tx) => {
      if (caller.kind === "session") await requireConfirmed(app, tx, caller);
    });
    about.userId = id.slice(0, 36);
  });
}
