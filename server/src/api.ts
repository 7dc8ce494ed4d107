import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { openKeyLookup } from "./access/identify-api-key.ts";
import { openKeyUse } from "./access/note-key-use.ts";
import { keyRoutes } from "./access/routes.ts";
import { auditRoutes } from "./audit/routes.ts";
import { changeRoutes } from "./calls/change-routes.ts";
import { exportRoutes } from "./calls/export-routes.ts";
import { importRoutes } from "./calls/import-routes.ts";
import { callRoutes } from "./calls/routes.ts";
import { searchRoutes } from "./calls/search-routes.ts";
import { campaignRoutes } from "./campaigns/routes.ts";
import { eventRoutes } from "./events/routes.ts";
import { openGate } from "./limits/gate.ts";
import { limitRoutes, passGate } from "./limits/routes.ts";
import type { App } from "./platform/app.ts";
import { requireAllCampaigns, requireScope } from "./platform/caller.ts";
import { documentationRoutes } from "./platform/http/documentation.ts";
import { healthRoutes } from "./platform/http/health.ts";
import { type Api, openServer } from "./platform/http/server.ts";
import { holdRoutes } from "./privacy/hold-routes.ts";
import { erasureRoutes } from "./privacy/routes.ts";
import { userRoutes } from "./users/routes.ts";
import { webhookRoutes } from "./webhooks/routes.ts";
import { workspaceRoutes } from "./workspaces/routes.ts";

/** Every route of the service, listed once. */
export async function openApi(app: App): Promise<Api> {
  const api = openServer(app);
  const identify = openKeyLookup(app);
  const gate = openGate(app);
  api.addHook("onClose", () => gate.close());
  const keyUse = openKeyUse(app);
  api.addHook("onClose", () => keyUse.close());
  api.addHook("onRequest", async (request, reply) => {
    const { access, campaignKeys = false } = request.routeOptions.config;
    if (access === "public" || request.is404) return;
    request.caller = await identify(request.headers["x-api-key"]);
    keyUse.note(request.caller);
    await passGate(gate, request, reply);
    requireScope(request.caller, ...(access ?? []));
    if (!campaignKeys) requireAllCampaigns(request.caller);
  });

  await documentationRoutes(api);
  healthRoutes(api, app);
  userRoutes(api, app);
  campaignRoutes(api, app);
  searchRoutes(api, app);
  callRoutes(api, app);
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
