import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../platform/app.ts";
import type { OidcConfig } from "../platform/config.ts";
import { AppError } from "../platform/errors.ts";
import { openSealedCookie } from "../platform/http/sealed-cookie.ts";
import type { Api } from "../platform/http/server.ts";
import { openSessionCookie } from "../platform/http/session-cookie.ts";
import { openProvider, ProviderError } from "../platform/oidc/provider.ts";
import type { Person } from "./find-people.ts";
import { guessDigest, networkOf } from "./guess.ts";
import type { Guard } from "./sign-in.ts";
import { endJourney, journeySeconds, signInByProvider } from "./sign-in-by-provider.ts";
import type { Tries } from "./tries.ts";

const publicRoute = { config: { access: "public" as const }, schema: { hide: true } };
const start = "/session/oidc";
const callback = "/session/oidc/callback";

/** Why nobody is signed in, as the console's page for signing in is told. */
type Failure =
  | "sign_in_limited"
  | "oidc_unknown_person"
  | "oidc_unverified"
  | "oidc_refused"
  | "oidc_expired"
  | "oidc_away";

/** What the browser carries to the provider and back. */
const Carried = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  workspaceId: z.string().optional(),
});

/** In which workspace, if a page asks for one. Anything else is passed over. */
const Asked = z.object({ workspace_id: z.uuid().toLowerCase().optional().catch(undefined) });

/** Signing in by an OpenID Connect provider. A browser goes through these; they are no part of the interface. */
export function oidcRoutes(api: Api, app: App, { tries }: Pick<Guard, "tries">): void {
  if (app.config.oidc) journeyRoutes(api, app, tries, app.config.oidc);
  else absentRoutes(api);
}

function absentRoutes(api: Api): void {
  for (const path of [start, callback]) {
    api.get(path, publicRoute, async () => {
      throw new AppError(
        "not_found",
        "This installation has no sign-in provider. GET /session/options shows what it has.",
      );
    });
  }
}

function journeyRoutes(api: Api, app: App, tries: Tries, oidc: OidcConfig): void {
  const { publicUrl } = app.config;
  const secure = publicUrl.startsWith("https:");
  const provider = openProvider(oidc, `${publicUrl}${callback}`);
  const session = openSessionCookie(publicUrl);
  const carried = openSealedCookie({
    name: "hearback-oidc",
    secret: oidc.clientSecret,
    seconds: journeySeconds,
    secure,
  });

  const fail = (request: FastifyRequest, reply: FastifyReply, code: Failure, err?: unknown) => {
    request.log[err === undefined ? "info" : "warn"]({ reason: code, ...causeOf(err) }, "sign-in by provider failed");
    return leadTo(reply, `/console/sign-in?failed=${code}`);
  };

  api.get(start, publicRoute, async (request, reply) => {
    const { workspace_id: workspaceId } = Asked.parse(request.query);
    try {
      const { url, journey } = await provider.begin();
      carried.give(reply, JSON.stringify({ ...journey, workspaceId }));
      return leadTo(reply, url);
    } catch (error) {
      if (error instanceof ProviderError) return fail(request, reply, "oidc_away", error);
      throw error;
    }
  });

  api.get(callback, publicRoute, async (request, reply) => {
    const content = carried.read(request);
    carried.take(reply);
    if (content === undefined) return fail(request, reply, "oidc_expired");
    const { waitMs, taken } = await tries.take({ address: guessDigest("address", networkOf(request.ip)) });
    if (waitMs > 0) return fail(request, reply, "sign_in_limited");
    const { workspaceId, ...journey } = Carried.parse(JSON.parse(content));
    const query = request.url.split("?")[1] ?? "";
    // Somebody else's answer, or one that was given already: nothing is asked of the provider for it.
    if (new URLSearchParams(query).get("state") !== journey.state || !(await endJourney(app, journey.state))) {
      return fail(request, reply, "oidc_expired");
    }
    try {
      const vouched = await provider.finish(query, journey);
      const userAgent = request.headers["user-agent"];
      const outcome = await signInByProvider(app, { vouched, workspaceId, userAgent });
      if (outcome.kind === "failed") return fail(request, reply, outcome.code);
      await tries.takeBack(taken);
      if (outcome.kind === "several") return leadTo(reply, `/console/sign-in#workspaces=${choice(outcome.people)}`);
      session.give(reply, outcome.session.token, outcome.session.expiresAt);
      return leadTo(reply, "/console/");
    } catch (error) {
      if (!(error instanceof ProviderError) || error.reason === "away") await tries.takeBack(taken);
      if (error instanceof ProviderError) return fail(request, reply, `oidc_${error.reason}`, error);
      throw error;
    }
  });
}

/** Kept by nobody on the way: what is in these addresses is for this browser and for now. */
const leadTo = (reply: FastifyReply, url: string) =>
  reply.header("cache-control", "no-store").header("referrer-policy", "no-referrer").redirect(url, 302);

/** Where one could sign in, for the page to show: in the fragment, which no server sees. */
const choice = (people: readonly Person[]) =>
  Buffer.from(
    JSON.stringify(people.map(({ workspaceId, workspaceName }) => ({ id: workspaceId, name: workspaceName }))),
  ).toString("base64url");

/** What the library says of a failure, without what the provider sent: that may hold tokens. */
function causeOf(error: unknown): Record<string, unknown> {
  const { cause } = (error ?? {}) as { cause?: { code?: unknown; message?: unknown; error?: unknown } };
  return cause ? { cause: cause.message, code: cause.code, said: cause.error } : {};
}
