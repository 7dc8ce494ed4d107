import { ChangeSessionUserBody, SessionBody, SessionOptionsBody, SignInBody } from "@hearback/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { actingFor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { allRoles } from "../../platform/caller.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { route } from "../../platform/http/route.ts";
import type { Api } from "../../platform/http/server.ts";
import { openSecondStepCookie, openSessionCookie } from "../../platform/http/session-cookie.ts";
import { saveReviewEmail } from "../../users/own-account.ts";
import { secondStepNeeded, signInBusy, signInFailed, signInLimited, workspaceAmbiguous } from "../errors.ts";
import { findSession } from "../find-session.ts";
import { openSessionOptions } from "../sign-in/session-options.ts";
import { type SignInGuard, signIn } from "../sign-in/sign-in.ts";
import { isPending, type PendingSignIn, type SignInOutcome } from "../two-step/second-step.ts";
import { endSession } from "./end-session.ts";

const tag = "Session";
const signedIn = { tag, path: "/session", access: "session", roles: allRoles, beforeTwoStep: true } as const;

/** Sets the session cookie and returns the session, or asks for the second step. */
export async function answerSession(app: App, request: FastifyRequest, reply: FastifyReply, started: SignInOutcome) {
  if (isPending(started)) return askSecondStep(app, reply, started);
  const { workspaceId, sessionId, token, expiresAt } = started;
  request.about = { workspaceId, sessionId };
  openSessionCookie(app.config.publicUrl).set(reply, token, expiresAt);
  return inWorkspace(app, workspaceId, (tx) => findSession(tx, workspaceId, sessionId));
}

/** Stores the pending sign-in in a cookie and responds with `second_step_needed`. */
function askSecondStep(app: App, reply: FastifyReply, { token, expiresAt, methods }: PendingSignIn): never {
  openSecondStepCookie(app.config.publicUrl).set(reply, token, expiresAt);
  throw secondStepNeeded(methods);
}

/** Sign-in, sign-out and the current session. */
export function sessionRoutes(api: Api, app: App, guard: SignInGuard): void {
  signInRoutes(api, app, guard);
  currentSessionRoutes(api, app);
}

function signInRoutes(api: Api, app: App, guard: SignInGuard): void {
  const findOptions = openSessionOptions(app);
  route(api, {
    method: "GET",
    path: "/session/options",
    id: "getSessionOptions",
    tag,
    summary: "Get sign-in options",
    description: "Returns the available sign-in methods. No authentication required.",
    access: "public",
    answers: { 200: [SessionOptionsBody, "The sign-in options."] },
  }).handle(async (_request, reply) => {
    reply.header("cache-control", "no-store");
    return findOptions();
  });

  route(api, {
    method: "POST",
    path: "/session",
    id: "signIn",
    tag,
    summary: "Sign in with email and password",
    description:
      "Sets the session cookie. Unknown email addresses, wrong passwords, deactivated users and users without a password get the same response.",
    access: "public",
    body: SignInBody,
    answers: { 200: [SessionBody, "The new session."] },
    errors: [signInFailed, secondStepNeeded, workspaceAmbiguous, signInLimited, signInBusy],
  }).handle(async (request, reply) => {
    const { email, password, workspace_id } = request.body;
    const userAgent = request.headers["user-agent"];
    const workspaceId = workspace_id?.toLowerCase();
    const started = await signIn(app, guard, { email, password, workspaceId, userAgent, address: request.ip });
    return answerSession(app, request, reply, started);
  });
}

function currentSessionRoutes(api: Api, app: App): void {
  const cookie = openSessionCookie(app.config.publicUrl);
  route(api, {
    ...signedIn,
    method: "GET",
    id: "getSession",
    summary: "Get the current session",
    description: "Returns the session of the request's cookie, with its user and workspace.",
    answers: { 200: [SessionBody, "The session."] },
  }).handle(async ({ caller: { workspaceId, sessionId } }) =>
    inWorkspace(app, workspaceId, (tx) => findSession(tx, workspaceId, sessionId)),
  );

  route(api, {
    ...signedIn,
    beforeTwoStep: false,
    method: "PATCH",
    id: "changeSessionUser",
    summary: "Change your preferences",
    description: "Changes preferences of the signed-in user that the server applies.",
    body: ChangeSessionUserBody,
    answers: { 200: [SessionBody, "The session."] },
  }).handle(async ({ caller: { workspaceId, sessionId, userId }, body }) =>
    inWorkspace(app, workspaceId, async (tx) => {
      await saveReviewEmail(tx, workspaceId, userId, body.review_email);
      return findSession(tx, workspaceId, sessionId);
    }),
  );

  route(api, {
    ...signedIn,
    method: "DELETE",
    id: "signOut",
    summary: "Sign out",
    description: "Ends the session within a second on every process and clears the session cookie.",
    answers: { 204: "Signed out." },
  }).handle(async ({ caller }, reply) => {
    await endSession(app, actingFor(caller), { id: caller.sessionId });
    cookie.clear(reply);
  });
}
