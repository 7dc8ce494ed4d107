import { actingFor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { route } from "../../platform/http/route.ts";
import type { Api } from "../../platform/http/server.ts";
import { userNotFound } from "../../users/errors.ts";
import { unlinkProvider } from "./provider-identity.ts";

/** The link between a user and their account at the identity provider. */
export function providerRoutes(api: Api, app: App): void {
  route(api, {
    method: "DELETE",
    path: "/users/:id/provider",
    id: "unlinkProvider",
    tag: "Users",
    summary: "Unlink a user's provider account",
    description:
      "The first sign-in with the provider links the provider account to the user. Other accounts with the same email address are then refused. This request removes the link and ends the user's sessions; the next account that signs in with the verified email address is linked. Does nothing if no account is linked.",
    access: ["manage"],
    answers: { 204: "Account unlinked." },
    errors: [userNotFound],
  }).handle(async ({ caller, params: { id }, about }) => {
    await unlinkProvider(app, actingFor(caller), id);
    about.userId = id.slice(0, 36);
  });
}
