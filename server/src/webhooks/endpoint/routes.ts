import {
  ChangeWebhookBody,
  CreateWebhookBody,
  RotateSecretBody,
  WebhookBody,
  WebhookListBody,
  WebhookWithSecretBody,
} from "@hearback/contract";
import { actingFor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { route } from "../../platform/http/route.ts";
import type { Api } from "../../platform/http/server.ts";
import { webhookLimitReached, webhookNotFound } from "../errors.ts";
import { deliveryRoutes } from "../history/delivery-routes.ts";
import { toWebhookBody } from "../webhook-body.ts";
import { changeWebhook } from "./change-webhook.ts";
import { createWebhook } from "./create-webhook.ts";
import { deleteWebhook } from "./delete-webhook.ts";
import { findWebhook } from "./find-webhook.ts";
import { listWebhooks } from "./list-webhooks.ts";
import { rotateSecret } from "./rotate-secret.ts";

const managed = { tag: "Webhooks", access: ["manage"] } as const;

export function webhookRoutes(api: Api, app: App): void {
  createRoutes(api, app);
  readRoutes(api, app);
  changeRoutes(api, app);
  deliveryRoutes(api, app);
}

function createRoutes(api: Api, app: App): void {
  route(api, {
    ...managed,
    method: "POST",
    path: "/webhooks",
    id: "createWebhook",
    summary: "Create a webhook",
    description:
      "Creates a webhook. New events are sent to its URL as signed POST requests (Standard Webhooks), at least once. The response contains the secret for verifying signatures, which is shown only once.",
    body: CreateWebhookBody,
    answers: { 201: [WebhookWithSecretBody, "The webhook with its secret."] },
    errors: [webhookLimitReached],
  }).handle(async ({ caller, body, about }) => {
    const webhook = await createWebhook(app, actingFor(caller), body);
    about.webhookId = webhook.id;
    return { ...toWebhookBody(webhook), secret: webhook.secret };
  });

  route(api, {
    ...managed,
    method: "POST",
    path: "/webhooks/:id/rotate-secret",
    id: "rotateWebhookSecret",
    summary: "Rotate a webhook secret",
    description:
      "Replaces the secret of a webhook. The response contains the new secret, which is shown only once. For `overlap_hours` (default 24), payloads are signed with both secrets, so that receivers can switch at any time.",
    body: RotateSecretBody.optional(),
    answers: { 200: [WebhookWithSecretBody, "The webhook with its new secret."] },
    errors: [webhookNotFound],
  }).handle(async ({ caller, params: { id }, body, about }) => {
    const webhook = await rotateSecret(app, actingFor(caller), id, body.overlap_hours);
    about.webhookId = webhook.id;
    return { ...toWebhookBody(webhook), secret: webhook.secret };
  });
}

function readRoutes(api: Api, app: App): void {
  route(api, {
    ...managed,
    method: "GET",
    path: "/webhooks",
    id: "listWebhooks",
    summary: "List webhooks",
    description:
      "Returns all webhooks of the workspace, oldest first, without their secrets. A workspace has at most 50.",
    answers: { 200: [WebhookListBody, "The webhooks."] },
  }).handle(async ({ caller: { workspaceId } }) => {
    const found = await inWorkspace(app, workspaceId, (tx) => listWebhooks(tx, workspaceId));
    return { webhooks: found.map(toWebhookBody) };
  });

  route(api, {
    ...managed,
    method: "GET",
    path: "/webhooks/:id",
    id: "getWebhook",
    summary: "Get a webhook",
    description: "Returns a webhook without its secret. If it is disabled, `disabled` contains the reason.",
    answers: { 200: [WebhookBody, "The webhook."] },
    errors: [webhookNotFound],
  }).handle(async ({ caller: { workspaceId }, params: { id } }) =>
    toWebhookBody(await inWorkspace(app, workspaceId, (tx) => findWebhook(tx, workspaceId, id))),
  );
}

function changeRoutes(api: Api, app: App): void {
  route(api, {
    ...managed,
    method: "PATCH",
    path: "/webhooks/:id",
    id: "changeWebhook",
    summary: "Update a webhook",
    description:
      "Changes only the fields in the request. Disabling a webhook cancels its pending deliveries. A webhook that is enabled again receives new events only; replay the events that it missed.",
    body: ChangeWebhookBody,
    answers: { 200: [WebhookBody, "The updated webhook."] },
    errors: [webhookNotFound],
  }).handle(async ({ caller, params: { id }, body }) =>
    toWebhookBody(await changeWebhook(app, actingFor(caller), id, body)),
  );

  route(api, {
    ...managed,
    method: "DELETE",
    path: "/webhooks/:id",
    id: "deleteWebhook",
    summary: "Delete a webhook",
    description: "Deletes the webhook and its deliveries. Pending deliveries are not sent.",
    answers: { 204: "The webhook is deleted." },
    errors: [webhookNotFound],
  }).handle(async ({ caller, params: { id }, about }) => {
    await deleteWebhook(app, actingFor(caller), id);
    about.webhookId = id;
  });
}
