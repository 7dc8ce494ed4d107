import {
  DeliveryPageBody,
  ListDeliveriesParameters,
  ListDeliveriesQuery,
  ReplayBody,
  ReplayedBody,
  ReplayFields,
  WebhookTestBody,
} from "@hearback/contract";
import { z } from "zod";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { errorAnswers, problemAnswer } from "../platform/http/error-answers.ts";
import { jsonObject, parseFields } from "../platform/http/parse.ts";
import type { Api } from "../platform/http/server.ts";
import { listDeliveries, toDeliveryBody } from "./list-deliveries.ts";
import { replayEvents } from "./replay-events.ts";
import { toReplayInput } from "./replay-input.ts";
import { testEndpoint } from "./test-endpoint.ts";

const config = { access: ["manage"] } as const;
const tags = ["Webhooks"];
const params = z.object({ id: z.uuid().meta({ description: "The webhook's id." }) });
const noWebhook = {
  404: problemAnswer("There is no such webhook, or no such event, in this workspace.", "webhook_not_found"),
};
const disabled = { 409: problemAnswer("The webhook is disabled.", "webhook_disabled") };

export function deliveryRoutes(api: Api, app: App): void {
  testRoute(api, app);
  listRoute(api, app);
  replayRoute(api, app);
}

function testRoute(api: Api, app: App): void {
  api.post(
    "/webhooks/:id/test",
    {
      config,
      schema: {
        operationId: "testWebhook",
        summary: "Send a test event",
        description: "Sends an event of the type `webhook.test` to this webhook and to no other, whatever its types.",
        tags,
        params,
        response: {
          202: WebhookTestBody.describe("It will be sent."),
          ...errorAnswers(401, 403, 500, 503),
          ...noWebhook,
          ...disabled,
        },
      },
    },
    async (request, reply) => {
      const { workspaceId } = request.caller;
      const { eventId, deliveryId } = await testEndpoint(app, workspaceId, request.params.id);
      request.about = { workspaceId, deliveryId };
      return reply.code(202).send({ event_id: eventId, delivery_id: deliveryId });
    },
  );
}

function listRoute(api: Api, app: App): void {
  api.get(
    "/webhooks/:id/deliveries",
    {
      config,
      schema: {
        operationId: "listWebhookDeliveries",
        summary: "See what was sent",
        description: "What was sent to a webhook, or is to be, newest first, each with every attempt.",
        tags,
        params,
        querystring: ListDeliveriesParameters,
        response: {
          200: DeliveryPageBody.describe("A page of deliveries."),
          ...errorAnswers(401, 403, 422, 500, 503),
          ...noWebhook,
        },
      },
    },
    async (request) => {
      const { workspaceId } = request.caller;
      const query = parseFields(ListDeliveriesQuery, request.query as Record<string, unknown>, {
        missingCode: "member_missing",
      });
      const page = await inWorkspace(app, workspaceId, (tx) =>
        listDeliveries(tx, workspaceId, request.params.id, query),
      );
      return { deliveries: page.deliveries.map(toDeliveryBody), next: page.next };
    },
  );
}

function replayRoute(api: Api, app: App): void {
  api.post(
    "/webhooks/:id/replay",
    {
      config,
      schema: {
        operationId: "replayWebhook",
        summary: "Send events again",
        description:
          "Sends one event again, or all events of a range that this webhook is told of, with the ids that they had. At most 10,000 at a time; `next` says how to go on.",
        tags,
        params,
        body: ReplayBody,
        response: {
          202: ReplayedBody.describe("They will be sent."),
          ...errorAnswers(400, 401, 403, 413, 422, 500, 503),
          ...noWebhook,
          ...disabled,
        },
      },
    },
    async (request, reply) => {
      const { workspaceId } = request.caller;
      const fields = parseFields(ReplayFields, jsonObject(request.body), { missingCode: "member_missing" });
      const replayed = await replayEvents(app, workspaceId, request.params.id, toReplayInput(fields));
      request.about = { workspaceId, queued: replayed.queued };
      return reply.code(202).send(replayed);
    },
  );
}
