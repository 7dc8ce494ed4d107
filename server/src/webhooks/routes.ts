import {
  ChangeWebhookBody,
  CreateWebhookBody,
  RotateSecretBody,
  WebhookBody,
  WebhookListBody,
  WebhookWithSecretBody,
} from "@hearback/contract";
import { z } from "zod";
import { actingFor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { errorAnswers, problemAnswer } from "../platform/http/error-answers.ts";
import { jsonObject, parseFields } from "../platform/http/parse.ts";
import type { Api } from "../platform/http/server.ts";
import { changeEndpoint } from "./change-endpoint.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { deleteEndpoint } from "./delete-endpoint.ts";
import { deliveryRoutes } from "./delivery-routes.ts";
import { toWebhookBody } from "./endpoint-body.ts";
import { findEndpoint } from "./find-endpoint.ts";
import { listEndpoints } from "./list-endpoints.ts";
import { rotateSecret } from "./rotate-secret.ts";

const config = { access: ["manage"] } as const;
const tags = ["Webhooks"];
const params = z.object({ id: z.uuid().meta({ description: "The webhook's id." }) });
const noWebhook = { 404: problemAnswer("There is no such webhook in this workspace.", "webhook_not_found") };
const members = { missingCode: "member_missing" } as const;

export function webhookRoutes(api: Api, app: App): void {
  createRoute(api, app);
  listRoutes(api, app);
  changeRoutes(api, app);
  rotateRoute(api, app);
  deliveryRoutes(api, app);
}

function createRoute(api: Api, app: App): void {
  api.post(
    "/webhooks",
    {
      config,
      schema: {
        operationId: "createWebhook",
        summary: "Have events sent to a URL",
        description:
          "Adds a webhook: what happens from now on is sent there with POST, signed (Standard Webhooks), at least once. The answer holds the secret that verifies it; it is shown this once.",
        tags,
        body: CreateWebhookBody,
        response: {
          201: WebhookWithSecretBody.describe("The webhook has been added."),
          ...errorAnswers(400, 401, 403, 413, 422, 500, 503),
          409: problemAnswer("The workspace has as many webhooks as it may, 50.", "webhook_limit_reached"),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId } = request.caller;
      const body = parseFields(CreateWebhookBody, jsonObject(request.body), members);
      const endpoint = await createEndpoint(app, actingFor(request.caller), body);
      request.about = { workspaceId, webhookId: endpoint.id };
      return reply.code(201).send({ ...toWebhookBody(endpoint), secret: endpoint.secret });
    },
  );
}

function listRoutes(api: Api, app: App): void {
  api.get(
    "/webhooks",
    {
      config,
      schema: {
        operationId: "listWebhooks",
        summary: "List the webhooks",
        description:
          "All webhooks of the workspace, oldest first, without their secrets. There are never more than 50.",
        tags,
        response: { 200: WebhookListBody.describe("The webhooks."), ...errorAnswers(401, 403, 500, 503) },
      },
    },
    async ({ caller: { workspaceId } }) => {
      const found = await inWorkspace(app, workspaceId, (tx) => listEndpoints(tx, workspaceId));
      return { webhooks: found.map(toWebhookBody) };
    },
  );

  api.get(
    "/webhooks/:id",
    {
      config,
      schema: {
        operationId: "findWebhook",
        summary: "Look at a webhook",
        description: "One webhook, without its secret, with whether and why it is disabled.",
        tags,
        params,
        response: {
          200: WebhookBody.describe("The webhook."),
          ...errorAnswers(401, 403, 500, 503),
          ...noWebhook,
        },
      },
    },
    async ({ caller: { workspaceId }, params: { id } }) =>
      toWebhookBody(await inWorkspace(app, workspaceId, (tx) => findEndpoint(tx, workspaceId, id))),
  );
}

function changeRoutes(api: Api, app: App): void {
  api.patch(
    "/webhooks/:id",
    {
      config,
      schema: {
        operationId: "changeWebhook",
        summary: "Change, disable or enable a webhook",
        description:
          "Changes what is given and nothing else. Disabling cancels what waits. A webhook that is enabled again is told of what happens from then on; replay what it missed.",
        tags,
        params,
        body: ChangeWebhookBody,
        response: {
          200: WebhookBody.describe("The webhook as it is now."),
          ...errorAnswers(400, 401, 403, 413, 422, 500, 503),
          ...noWebhook,
        },
      },
    },
    async (request) => {
      const { workspaceId } = request.caller;
      const body = parseFields(ChangeWebhookBody, jsonObject(request.body), members);
      request.about = { workspaceId };
      return toWebhookBody(await changeEndpoint(app, actingFor(request.caller), request.params.id, body));
    },
  );

  api.delete(
    "/webhooks/:id",
    {
      config,
      schema: {
        operationId: "deleteWebhook",
        summary: "Remove a webhook",
        description: "Removes the webhook and the record of what was sent to it. What waits is not sent.",
        tags,
        params,
        response: { 204: z.null().describe("It is gone."), ...errorAnswers(401, 403, 500, 503), ...noWebhook },
      },
    },
    async (request, reply) => {
      const { workspaceId } = request.caller;
      await deleteEndpoint(app, actingFor(request.caller), request.params.id);
      request.about = { workspaceId, webhookId: request.params.id };
      return reply.code(204).send(null);
    },
  );
}

function rotateRoute(api: Api, app: App): void {
  api.post(
    "/webhooks/:id/rotate-secret",
    {
      config,
      schema: {
        operationId: "rotateWebhookSecret",
        summary: "Give a webhook another secret",
        description:
          "The answer holds the new secret; it is shown this once. For `overlap_hours` (24 if not given) what is sent is signed with both, so that no receiver needs to change at the same moment.",
        tags,
        params,
        body: RotateSecretBody.optional(),
        response: {
          200: WebhookWithSecretBody.describe("The webhook with its new secret."),
          ...errorAnswers(400, 401, 403, 413, 422, 500, 503),
          ...noWebhook,
        },
      },
    },
    async (request) => {
      const { workspaceId } = request.caller;
      const { overlap_hours } = parseFields(RotateSecretBody, jsonObject(request.body ?? {}), members);
      const endpoint = await rotateSecret(app, actingFor(request.caller), request.params.id, overlap_hours);
      request.about = { workspaceId, webhookId: endpoint.id };
      return { ...toWebhookBody(endpoint), secret: endpoint.secret };
    },
  );
}
