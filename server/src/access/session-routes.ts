import { SessionBody, SessionOptionsBody, SignInBody, WorkspaceAmbiguousProblem } from "@hearback/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { actingFor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { anybody, requireSession } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { errorAnswers, problemAnswer, problemAnswerOf } from "../platform/http/error-answers.ts";
import { refuseForeignOrigin } from "../platform/http/own-origin.ts";
import { jsonObject, parseFields } from "../platform/http/parse.ts";
import type { Api } from "../platform/http/server.ts";
import { openSessionCookie } from "../platform/http/session-cookie.ts";
import { endSession } from "./end-session.ts";
import { findSession } from "./find-session.ts";
import { openSessionOptions } from "./session-options.ts";
import { type Guard, signIn } from "./sign-in.ts";
import type { StartedSession } from "./start-session.ts";

const tags = ["Session"];
const open = { access: "public" } as const;
const signedIn = { access: "session", roles: anybody } as const;
const members = { missingCode: "member_missing" } as const;
const withCookie = "Sets the cookie by which the browser is known from now on.";

const ambiguous = {
  schema: WorkspaceAmbiguousProblem,
  members: { workspaces: [{ id: "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d", name: "Acme" }] },
};

/** Gives the browser its session and says who is signed in now. */
export async function answerSession(app: App, request: FastifyRequest, reply: FastifyReply, started: StartedSession) {
  const { workspaceId, sessionId, token, expiresAt } = started;
  request.about = { workspaceId, sessionId };
  openSessionCookie(app.config.publicUrl).give(reply, token, expiresAt);
  return reply.send(await inWorkspace(app, workspaceId, (tx) => findSession(tx, workspaceId, sessionId)));
}

/** Signing in and out. */
export function sessionRoutes(api: Api, app: App, guard: Guard): void {
  optionsRoute(api, app);
  signInRoute(api, app, guard);
  presentRoutes(api, app);
}

function optionsRoute(api: Api, app: App): void {
  const findOptions = openSessionOptions(app);
  api.get(
    "/session/options",
    {
      config: open,
      schema: {
        operationId: "getSessionOptions",
        summary: "How one can sign in",
        description: "What a page for signing in needs to know. Needs neither key nor session.",
        tags,
        security: [],
        response: { 200: SessionOptionsBody.describe("The ways to sign in."), ...errorAnswers(500, 503) },
      },
    },
    async (_request, reply) => reply.header("cache-control", "no-store").send(await findOptions()),
  );
}

function signInRoute(api: Api, app: App, guard: Guard): void {
  api.post(
    "/session",
    {
      config: open,
      schema: {
        operationId: "signIn",
        summary: "Sign in by e-mail and password",
        description: `${withCookie} An address that nobody has, a wrong password, somebody who is deactivated or has no password yet: all are answered alike.`,
        tags,
        security: [],
        body: SignInBody,
        response: {
          200: SessionBody.describe("Who is signed in now."),
          ...errorAnswers(400, "sign_in_failed", "origin_forbidden", 413, 422, "sign_in_limited", 500, 503),
          409: problemAnswerOf(ambiguous, "The password is right in several workspaces.", "workspace_ambiguous"),
        },
      },
    },
    async (request, reply) => {
      refuseForeignOrigin(request, app.config.publicUrl);
      const { email, password, workspace_id } = parseFields(SignInBody, jsonObject(request.body), members);
      const userAgent = request.headers["user-agent"];
      const workspaceId = workspace_id?.toLowerCase();
      const started = await signIn(app, guard, { email, password, workspaceId, userAgent, address: request.ip });
      return answerSession(app, request, reply, started);
    },
  );
}

const needsSession = {
  ...errorAnswers(401, 500, 503),
  403: problemAnswer(
    "An API key is nobody, or the request comes from another site.",
    "session_needed",
    "origin_forbidden",
  ),
};

function presentRoutes(api: Api, app: App): void {
  const cookie = openSessionCookie(app.config.publicUrl);
  api.get(
    "/session",
    {
      config: signedIn,
      schema: {
        operationId: "getSession",
        summary: "Who is signed in",
        description: "The session of the browser that asks.",
        tags,
        security: [{ session: [] }],
        response: { 200: SessionBody.describe("Who is signed in."), ...needsSession },
      },
    },
    async (request) => {
      const { workspaceId, sessionId } = requireSession(request.caller);
      return inWorkspace(app, workspaceId, (tx) => findSession(tx, workspaceId, sessionId));
    },
  );

  api.delete(
    "/session",
    {
      config: signedIn,
      schema: {
        operationId: "signOut",
        summary: "Sign out",
        description: "Ends the session, on every process within a second, and has the browser forget its cookie.",
        tags,
        security: [{ session: [] }],
        response: { 204: z.null().describe("Nobody is signed in any more."), ...needsSession },
      },
    },
    async (request, reply) => {
      const { sessionId } = requireSession(request.caller);
      await endSession(app, actingFor(request.caller), { id: sessionId });
      cookie.take(reply);
      return reply.code(204).send(null);
    },
  );
}
