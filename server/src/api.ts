import type { FastifyContextConfig, FastifyRequest } from "fastify";
import { openKeyLookup } from "./access/keys/identify-api-key.ts";
import { keyRoutes } from "./access/keys/routes.ts";
import { linkRoutes } from "./access/links/link-routes.ts";
import { accountRoutes } from "./access/sessions/account-routes.ts";
import { openSessionLookup } from "./access/sessions/identify-session.ts";
import { sessionRoutes } from "./access/sessions/session-routes.ts";
import { confirmRoutes } from "./access/sign-in/confirm-routes.ts";
import { oidcRoutes } from "./access/sign-in/oidc-routes.ts";
import { openPasswordHasher } from "./access/sign-in/password-hasher.ts";
import { providerRoutes } from "./access/sign-in/provider-routes.ts";
import { openSignInThrottle } from "./access/throttle/sign-in-throttle.ts";
import { openLastUsedTracker } from "./access/track-last-used.ts";
import { passkeyRoutes } from "./access/two-step/passkey-routes.ts";
import { twoStepRoutes } from "./access/two-step/routes.ts";
import { auditRoutes } from "./audit/routes.ts";
import { changeRoutes } from "./calls/change/routes.ts";
import { lookupRoutes } from "./calls/import/lookup-routes.ts";
import { importRoutes } from "./calls/import/routes.ts";
import { summaryRoutes } from "./calls/import/summary-routes.ts";
import { noteRoutes } from "./calls/notes/routes.ts";
import { callRoutes } from "./calls/routes.ts";
import { exportRoutes } from "./calls/search/export-routes.ts";
import { searchRoutes } from "./calls/search/routes.ts";
import { campaignRoutes } from "./campaigns/routes.ts";
import { eventRoutes } from "./events/routes.ts";
import { type AddressLimiter, openAddressLimiter } from "./limits/address-limiter.ts";
import { openRateLimiter } from "./limits/rate-limiter.ts";
import { enforceLimits, limitRoutes } from "./limits/routes.ts";
import { planRoutes } from "./plans/routes.ts";
import type { App } from "./platform/app.ts";
import {
  type Caller,
  requireAllCampaigns,
  requireRole,
  requireScope,
  requireSession,
  requireTwoStep,
} from "./platform/caller.ts";
import { keyHeaderMissing, notSignedIn } from "./platform/errors.ts";
import { consoleRoutes } from "./platform/http/console/console.ts";
import { rejectCrossOrigin, requireSameOrigin } from "./platform/http/csrf.ts";
import { healthRoutes } from "./platform/http/health.ts";
import { documentationRoutes } from "./platform/http/openapi/documentation.ts";
import { type Api, openServer } from "./platform/http/server.ts";
import { openSessionCookie } from "./platform/http/session-cookie.ts";
import { traceRequests } from "./platform/http/trace-requests.ts";
import { holdRoutes } from "./privacy/holds/hold-routes.ts";
import { erasureRoutes } from "./privacy/routes.ts";
import { agreementRoutes } from "./reviews/agreement/routes.ts";
import { calibrationRoutes } from "./reviews/calibrations/routes.ts";
import { disputeRoutes } from "./reviews/disputes/routes.ts";
import { reviewerRoutes } from "./reviews/reviewers/routes.ts";
import { reviewRoutes } from "./reviews/routes.ts";
import { whatIfRoutes } from "./reviews/what-if/routes.ts";
import { scorecardRoutes } from "./scorecards/routes.ts";
import { scoreRoutes } from "./scores/routes.ts";
import { teamRoutes } from "./teams/routes.ts";
import { matchesRoutes } from "./transcripts/read/matches-routes.ts";
import { openTranscriptReader } from "./transcripts/read/read-for-export.ts";
import { transcriptRoutes } from "./transcripts/routes.ts";
import { userRoutes } from "./users/routes.ts";
import { webhookRoutes } from "./webhooks/endpoint/routes.ts";
import { workspaceRoutes } from "./workspaces/routes.ts";

/** Opens the server and registers every route. */
export async function openApi(app: App): Promise<Api> {
  const api = openServer(app);
  if (app.config.tracing) traceRequests(api);
  const addressLimiter = openAddressLimiter(app);
  const identify = openIdentification(app, addressLimiter);
  const rateLimiter = openRateLimiter(app);
  api.addHook("onClose", () => rateLimiter.close());
  const lastUsed = openLastUsedTracker(app);
  api.addHook("onClose", () => lastUsed.close());
  api.addHook("onRequest", async (request, reply) => {
    const { config } = request.routeOptions;
    const wrongMethod = request.is404 ? undefined : api.wrongMethod(request);
    if (config.access === "public" || request.is404 || wrongMethod) {
      if (!config.unlimited) addressLimiter.require(clientOf(request));
      if (wrongMethod) throw wrongMethod;
      if (request.method === "POST" && !request.is404) rejectCrossOrigin(request, app.config);
      return;
    }
    // No proxy or browser may cache responses that contain data of a workspace.
    reply.header("cache-control", "no-store");
    request.caller = await identify(request);
    request.confirmCaller = async () => requireAccess(await identify(request), config);
    lastUsed.record(request.caller);
    await enforceLimits(rateLimiter, request, reply);
    requireAccess(request.caller, config);
  });

  await documentationRoutes(api);
  await consoleRoutes(api);
  healthRoutes(api, app);
  // In the order of the documentation: the import first.
  await api.register(async (scope) => importRoutes(scope, app));
  lookupRoutes(api, app);
  searchRoutes(api, app);
  callRoutes(api, app);
  matchesRoutes(api, app);
  changeRoutes(api, app);
  noteRoutes(api, app);
  transcriptRoutes(api, app);
  exportRoutes(api, app, openTranscriptReader(app));
  summaryRoutes(api, app);
  userRoutes(api, app);
  teamRoutes(api, app);
  campaignRoutes(api, app);
  scorecardRoutes(api, app);
  whatIfRoutes(api, app);
  planRoutes(api, app);
  reviewRoutes(api, app);
  calibrationRoutes(api, app);
  agreementRoutes(api, app);
  disputeRoutes(api, app);
  scoreRoutes(api, app);
  reviewerRoutes(api, app);
  eventRoutes(api, app);
  webhookRoutes(api, app);
  keyRoutes(api, app);
  workspaceRoutes(api, app);
  limitRoutes(api, app, rateLimiter);
  erasureRoutes(api, app);
  holdRoutes(api, app);
  auditRoutes(api, app);
  const guard = { hasher: openPasswordHasher(), throttle: openSignInThrottle(app) };
  sessionRoutes(api, app, guard);
  linkRoutes(api, app, guard);
  accountRoutes(api, app, guard);
  confirmRoutes(api, app, guard);
  twoStepRoutes(api, app, guard);
  passkeyRoutes(api, app, guard);
  oidcRoutes(api, app, guard);
  providerRoutes(api, app);
  await api.ready();
  return api;
}

const clientOf = ({ ip, ips, headers }: FastifyRequest) => ({
  address: ip,
  forwarded: headers["x-forwarded-for"] !== undefined && (ips?.length ?? 0) <= 1,
});

/** Identifies the caller by API key or, without one, by session cookie. Sessions are accepted only from our own origin (CSRF). */
function openIdentification(app: App, limiter: AddressLimiter): (request: FastifyRequest) => Promise<Caller> {
  const { publicUrl } = app.config;
  const identifyKey = openKeyLookup(app);
  const identifySession = openSessionLookup(app);
  const cookie = openSessionCookie(publicUrl);
  return async (request) => {
    // Unknown credentials count against the address limit, which bounds the database load of guessing.
    const onUnknown = () => limiter.require(clientOf(request));
    const key = request.headers["x-api-key"];
    if (key !== undefined) return identifyKey(key, onUnknown);
    const token = cookie.read(request);
    if (token === undefined) {
      onUnknown();
      throw request.routeOptions.config.access === "session" ? notSignedIn() : keyHeaderMissing();
    }
    const caller = await identifySession(token, onUnknown);
    requireSameOrigin(request, app.config);
    return caller;
  };
}

/** Checks a key's scopes or a user's role. Routes without either are closed to everyone. */
function requireAccess(caller: Caller, config: FastifyContextConfig): void {
  const { access, roles, campaignKeys = false, beforeTwoStep = false } = config;
  if (!beforeTwoStep) requireTwoStep(caller);
  requireRole(caller, ...(access ? (roles ?? ["admin"]) : []));
  if (access === "session") requireSession(caller);
  else requireScope(caller, ...(Array.isArray(access) ? access : []));
  if (!campaignKeys) requireAllCampaigns(caller);
}
