import { ForgotPasswordBody, InspectLinkBody, LinkBody, RedeemLinkBody, SessionBody } from "@hearback/contract";
import type { App } from "../../platform/app.ts";
import { memberMissing } from "../../platform/errors.ts";
import { route } from "../../platform/http/route.ts";
import type { Api } from "../../platform/http/server.ts";
import { linkEnded, secondStepNeeded, signInBusy, signInLimited } from "../errors.ts";
import { answerSession } from "../sessions/session-routes.ts";
import type { SignInGuard } from "../sign-in/sign-in.ts";
import { findLink, toLinkBody } from "./find-link.ts";
import { redeemLink } from "./redeem-link.ts";
import { requestPasswordReset } from "./request-password-reset.ts";

const open = { method: "POST", tag: "Session", access: "public" } as const;

/** Invitation, password reset, sign-in and setup links. */
export function linkRoutes(api: Api, app: App, { hasher, throttle }: SignInGuard): void {
  route(api, {
    ...open,
    path: "/session/forgotten",
    id: "forgotPassword",
    summary: "Request a password reset",
    description:
      "Emails a password reset link that is valid for one hour. The response is the same if no user has this address or if no mail server is configured.",
    body: ForgotPasswordBody,
    answers: { 202: "If the user exists, an email is on its way." },
    errors: [signInLimited],
  }).handle(async ({ body: { email }, ip: address }) => requestPasswordReset(app, throttle, { email, address }));

  route(api, {
    ...open,
    path: "/session/link/look",
    id: "inspectLink",
    summary: "Inspect a link",
    description: "Returns who a link is for and what it does, without using it.",
    body: InspectLinkBody,
    answers: { 200: [LinkBody, "The link."] },
    errors: [linkEnded],
  }).handle(async ({ body: { token } }, reply) => {
    reply.header("cache-control", "no-store");
    return toLinkBody(await findLink(app, token));
  });

  route(api, {
    ...open,
    path: "/session/link",
    id: "redeemLink",
    summary: "Use a link to set a password and sign in",
    description:
      "A link can be used once. Sets the session cookie and ends all other sessions of the user. A `sign_in` link needs no password and ends no sessions. A `setup` link creates a workspace and its first administrator, and requires `email`, `name` and `workspace_name`.",
    body: RedeemLinkBody,
    answers: { 200: [SessionBody, "The new session."] },
    errors: [secondStepNeeded, linkEnded, signInBusy],
  }).handle(async (request, reply) => {
    const { body } = request;
    const started = await redeemLink(app, hasher, {
      token: body.token,
      name: body.name,
      password: () => {
        if (body.password === undefined) throw memberMissing(["password"]);
        return body.password;
      },
      firstAdmin: () => firstAdminOf(body),
      userAgent: request.headers["user-agent"],
      address: request.ip,
    });
    return answerSession(app, request, reply, started);
  });
}

/** A setup link is not tied to a user, so the request must describe the first administrator. */
function firstAdminOf({ email, name, workspace_name: workspaceName }: RedeemLinkBody) {
  if (email === undefined || name === undefined || workspaceName === undefined) {
    const required = { email, name, workspace_name: workspaceName };
    throw memberMissing(Object.entries(required).flatMap(([member, value]) => (value === undefined ? [member] : [])));
  }
  return { email, name, workspaceName };
}
