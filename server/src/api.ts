import type { FastifyContextConfig, FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { openKeyLookup } from "./access/identify-api-key.ts";
import { openSessionLookup } from "./access/identify-session.ts";
import { linkRoutes } from "./access/link-routes.ts";
import { openUse } from "./access/note-use.ts";
import { oidcRoutes } from "./access/oidc-routes.ts";
import { ownRoutes } from "./access/own-routes.ts";
import { openPasswords } from "./access/passwords.ts";
import { keyRoutes } from "./access/routes.ts";
import { sessionRoutes } from "./access/session-routes.ts";
import { openTries } from "./access/tries.ts";
import { auditRoutes } from "./audit/routes.ts";
import { changeRoutes } from "./calls/change-routes.ts";
import { exportRoutes } from "./calls/export-routes.ts";
import { importRoutes } from "./calls/import-routes.ts";
import { callRoutes } from "./calls/routes.ts";
import { searchRoutes } from "./calls/search-routes.ts";
import { summaryRoutes } from "./calls/summary-routes.ts";
import { campaignRoutes } from "./campaigns/routes.ts";
import { eventRoutes } from "./events/routes.ts";
import { openGate } from "./limits/gate.ts";
import { limitRoutes, passGate } from "./limits/routes.ts";
import type { App } from "./platform/app.ts";
import { type Caller, requireAllCampaigns, requireRole, requireScope, requireSession } from "./platform/caller.ts";
import { unauthenticated } from "./platform/errors.ts";
import { consoleRoutes } from "./platform/http/console.ts";
import { documentationRoutes } from "./platform/http/documentation.ts";
import { healthRoutes } from "./platform/http/health.ts";
import { requireOwnOrigin } from "./platform/http/own-origin.ts";
import { type Api, openServer } from "./platform/http/server.ts";
import { openSessionCookie } from "./platform/http/session-cookie.ts";
import { holdRoutes } from "./privacy/hold-routes.ts";
import { erasureRoutes } from "./privacy/routes.ts";
import { userRoutes } from "./users/routes.ts";
import { webhookRoutes } from "./webhooks/routes.ts";
import { workspaceRoutes } from "./workspaces/routes.ts";

/** Every route of the service, listed once. */
export async function openApi(app: App): Promise<Api> {
  const api = openServer(app);
  const identify = openIdentification(app);
  const gate = openGate(app);
  api.addHook("onClose", () => gate.close());
  const use = openUse(app);
  api.addHook("onClose", () => use.close());
  api.addHook("onRequest", async (request, reply) => {
    const { config } = request.routeOptions;
    if (config.access === "public" || request.is404) return;
    // What somebody was told stays with nobody on the way, and in no browser after the person has gone.
    reply.header("cache-control", "no-store");
    request.caller = await identify(request);
    request.confirmCaller = async () => requireAccess(await identify(request), config);
    use.note(request.caller);
    await passGate(gate, request, reply);
    requireAccess(request.caller, config);
  });

  await documentationRoutes(api);
  await consoleRoutes(api, app);
  healthRoutes(api, app);
  const guard = { passwords: openPasswords(), tries: openTries(app) };
  sessionRoutes(api, app, guard);
  linkRoutes(api, app, guard);
  ownRoutes(api, app, guard);
  oidcRoutes(api, app, guard);
  userRoutes(api, app);
  campaignRoutes(api, app);
  searchRoutes(api, app);
  callRoutes(api, app);
  summaryRoutes(api, app);
  erasureRoutes(api, app);
  holdRoutes(api, app);
  changeRoutes(api, app);
  exportRoutes(api, app);
  auditRoutes(api, app);
  eventRoutes(api, app);
  webhookRoutes(api, app);
  keyRoutes(api, app);
  workspaceRoutes(api, app);
  limitRoutes(api, app, gate);
  await api.register(async (scope) => importRoutes(scope.withTypeProvider<ZodTypeProvider>(), app));
  await api.ready();
  return api;
}

/** A key says who asks; without one it is the browser's session, which counts for our own pages alone. */
function openIdentification(app: App): (request: FastifyRequest) => Promise<Caller> {
  const { publicUrl } = app.config;
  const identifyKey = openKeyLookup(app);
  const identifySession = openSessionLookup(app);
  const cookie = openSessionCookie(publicUrl);
  return async (request) => {
    const key = request.headers["x-api-key"];
    if (key !== undefined) return identifyKey(key);
    const token = cookie.read(request);
    if (token === undefined) throw unauthenticated();
    const caller = await identifySession(token);
    requireOwnOrigin(request, publicUrl);
    return caller;
  };
}

/** What a key may do is said by its scopes, what a person may do by their role. A route that says neither is closed. */
function requireAccess(caller: Caller, { access, roles, campaignKeys = false }: FastifyContextConfig): void {
  requireRole(caller, ...(access ? (roles ?? ["admin"]) : []));
  if (access === "session") requireSession(caller);
  else requireScope(caller, ...(Array.isArray(access) ? access : []));
  if (!campaignKeys) requireAllCampaigns(caller);
}
