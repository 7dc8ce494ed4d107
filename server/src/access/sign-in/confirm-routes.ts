import { ConfirmSessionBody } from "@hearback/contract";
import type { App } from "../../platform/app.ts";
import { allRoles } from "../../platform/caller.ts";
import { route } from "../../platform/http/route.ts";
import type { Api } from "../../platform/http/server.ts";
import { signInBusy, signInLimited } from "../errors.ts";
import { confirmByPassword } from "./confirm-password.ts";
import type { SignInGuard } from "./sign-in.ts";

/** Re-authentication within a session, for requests that require it (requireConfirmed). */
export function confirmRoutes(api: Api, app: App, guard: SignInGuard): void {
  route(api, {
    method: "POST",
    path: "/session/confirm",
    id: "confirmSession",
    tag: "Session",
    summary: "Confirm your password",
    description:
      "Some requests fail with `confirmation_needed` unless you authenticated in the last 10 minutes, by signing in with your password or with this request. Without a password, open `GET /session/oidc?confirm=true` in the browser.",
    access: "session",
    roles: allRoles,
    beforeTwoStep: true,
    body: ConfirmSessionBody,
    answers: { 204: "The session is confirmed for 10 minutes." },
    errors: [signInLimited, signInBusy],
  }).handle(async ({ caller, body }) => confirmByPassword(app, guard, caller, body.password));
}
