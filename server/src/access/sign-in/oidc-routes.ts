import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../../platform/app.ts";
import { networkOf } from "../../platform/client-network.ts";
import type { OidcConfig } from "../../platform/config.ts";
import { notFound } from "../../platform/errors.ts";
import { requireSameOrigin } from "../../platform/http/csrf.ts";
import { openEncryptedCookie } from "../../platform/http/encrypted-cookie.ts";
import type { Api } from "../../platform/http/server.ts";
import { openSessionCookie } from "../../platform/http/session-cookie.ts";
import { openProvider, ProviderError } from "../../platform/oidc/provider.ts";
import { openSessionLookup } from "../sessions/identify-session.ts";
import type { SignInThrottle } from "../throttle/sign-in-throttle.ts";
import { throttleDigest } from "../throttle/sign-in-throttle-rules.ts";
import { confirmByProvider } from "./confirm-by-provider.ts";
import type { ProviderUser } from "./provider-identity.ts";
import type { SignInGuard } from "./sign-in.ts";
import { oidcFlowSeconds, redeemOidcState, signInByProvider } from "./sign-in-by-provider.ts";

const publicRoute = { config: { access: "public" as const } };
const start = "/session/oidc";
const callback = "/session/oidc/callback";

/** Failure code passed to the console's sign-in page. */
type Failure =
  | "sign_in_limited"
  | "oidc_unknown_person"
  | "oidc_unverified"
  | "oidc_other_account"
  | "oidc_not_fresh"
  | "oidc_refused"
  | "oidc_expired"
  | "oidc_away";

/** State of the OIDC flow, kept in an encrypted cookie while the browser is at the provider. */
const FlowState = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  startedAt: z.number(),
  workspaceId: z.string().optional(),
  /** The session to confirm; absent: a sign-in. */
  confirms: z.string().optional(),
});

/** Optional workspace to sign in to, and whether to confirm the session instead. Invalid values are ignored. */
const StartQuery = z.object({
  workspace_id: z.uuid().toLowerCase().optional().catch(undefined),
  confirm: z.literal("true").optional().catch(undefined),
});

/** Sign-in with an OpenID Connect provider. Browser redirects only; not part of the public API. */
export function oidcRoutes(api: Api, app: App, { throttle }: Pick<SignInGuard, "throttle">): void {
  if (app.config.oidc) flowRoutes(api, app, throttle, app.config.oidc);
  else notConfiguredRoutes(api);
}

function notConfiguredRoutes(api: Api): void {
  for (const path of [start, callback]) {
    api.get(path, publicRoute, async () => {
      throw notFound.withDetail(
        "No identity provider is configured. GET /session/options lists the available sign-in methods.",
      );
    });
  }
}

function flowRoutes(api: Api, app: App, throttle: SignInThrottle, oidc: OidcConfig): void {
  const { publicUrl } = app.config;
  const secure = publicUrl.startsWith("https:");
  const provider = openProvider(oidc, `${publicUrl}${callback}`);
  const session = openSessionCookie(publicUrl);
  const identify = openSessionLookup(app);
  const flowCookie = openEncryptedCookie({
    name: "hearback-oidc",
    secret: oidc.clientSecret,
    seconds: oidcFlowSeconds,
    secure,
  });

  const logFailure = (request: FastifyRequest, code: Failure, err?: unknown) =>
    request.log[err === undefined ? "info" : "warn"](
      { reason: code, ...describeCause(err) },
      "sign-in with provider failed",
    );
  const fail = (request: FastifyRequest, reply: FastifyReply, code: Failure, err?: unknown) => {
    logFailure(request, code, err);
    return redirectTo(reply, `/console/sign-in?failed=${code}`);
  };
  const failConfirmation = (request: FastifyRequest, reply: FastifyReply, code: Failure, err?: unknown) => {
    logFailure(request, code, err);
    return redirectTo(reply, `/console/account?failed=${code}`);
  };
  /** The caller of a confirmation. The origin check keeps other sites from starting one. */
  const requireCaller = async (request: FastifyRequest) => {
    const caller = await identify(session.read(request) ?? "");
    requireSameOrigin(request, app.config);
    return caller;
  };

  api.get(start, publicRoute, async (request, reply) => {
    const { workspace_id: workspaceId, confirm } = StartQuery.parse(request.query);
    const confirms = confirm && (await requireCaller(request)).sessionId;
    try {
      const { url, authorization } = await provider.begin({ fresh: confirm !== undefined });
      flowCookie.set(reply, JSON.stringify({ ...authorization, workspaceId, confirms }));
      return redirectTo(reply, url);
    } catch (error) {
      if (error instanceof ProviderError)
        return (confirms ? failConfirmation : fail)(request, reply, "oidc_away", error);
      throw error;
    }
  });

  api.get(callback, publicRoute, async (request, reply) => {
    const content = flowCookie.read(request);
    flowCookie.clear(reply);
    if (content === undefined) return fail(request, reply, "oidc_expired");
    const { waitMs, taken } = await throttle.take({ address: throttleDigest("address", networkOf(request.ip)) });
    if (waitMs > 0) return fail(request, reply, "sign_in_limited");
    const { workspaceId, confirms, ...journey } = FlowState.parse(JSON.parse(content));
    const query = request.url.split("?")[1] ?? "";
    // Wrong or already redeemed state: fail without contacting the provider.
    if (new URLSearchParams(query).get("state") !== journey.state || !(await redeemOidcState(app, journey.state))) {
      return fail(request, reply, "oidc_expired");
    }
    try {
      const vouched = await provider.finish(query, journey);
      if (confirms !== undefined) {
        const caller = await identify(session.read(request) ?? "").catch(() => undefined);
        // Another session has been started in this browser since.
        if (caller?.sessionId !== confirms) return fail(request, reply, "oidc_expired");
        const outcome = await confirmByProvider(app, caller, { vouched, startedAt: journey.startedAt });
        if (outcome !== "confirmed") return failConfirmation(request, reply, outcome);
        await throttle.refund(taken);
        return redirectTo(reply, "/console/account");
      }
      const userAgent = request.headers["user-agent"];
      const outcome = await signInByProvider(app, { vouched, workspaceId, userAgent, address: request.ip });
      if (outcome.kind === "failed") return fail(request, reply, outcome.code);
      await throttle.refund(taken);
      if (outcome.kind === "ambiguous")
        return redirectTo(reply, `/console/sign-in#workspaces=${encodeWorkspaces(outcome.users)}`);
      session.set(reply, outcome.session.token, outcome.session.expiresAt);
      return redirectTo(reply, "/console/");
    } catch (error) {
      if (!(error instanceof ProviderError) || error.reason === "away") await throttle.refund(taken);
      if (!(error instanceof ProviderError)) throw error;
      return (confirms === undefined ? fail : failConfirmation)(request, reply, `oidc_${error.reason}`, error);
    }
  });
}

/** Redirects without caching or referrer: these URLs may contain secrets. */
const redirectTo = (reply: FastifyReply, url: string) =>
  reply.header("cache-control", "no-store").header("referrer-policy", "no-referrer").redirect(url, 302);

/** The workspaces to choose from, for the URL fragment, which browsers do not send to servers. */
const encodeWorkspaces = (users: readonly ProviderUser[]) =>
  Buffer.from(
    JSON.stringify(users.map(({ workspaceId, workspaceName }) => ({ id: workspaceId, name: workspaceName }))),
  ).toString("base64url");

/** The library's description of a failure, without the provider's response, which may contain tokens. */
function describeCause(error: unknown): Record<string, unknown> {
  const { cause } = (error ?? {}) as { cause?: { code?: unknown; message?: unknown; error?: unknown } };
  return cause ? { cause: cause.message, code: cause.code, error: cause.error } : {};
}
