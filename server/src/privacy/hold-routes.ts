import { CreateHoldBody, HoldBody, HoldPageBody, ListHoldsParameters, ListHoldsQuery } from "@hearback/contract";
import { z } from "zod";
import { actingFor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { errorAnswers } from "../platform/http/error-answers.ts";
import { jsonObject, parseFields } from "../platform/http/parse.ts";
import type { Api } from "../platform/http/server.ts";
import { createHold, heldSubject, toHoldBody } from "./create-hold.ts";
import { listHolds } from "./list-holds.ts";
import { releaseHold } from "./release-hold.ts";

const config = { access: ["manage"] } as const;
const tags = ["Privacy"];
const params = z.object({ id: z.uuid() });

export function holdRoutes(api: Api, app: App): void {
  api.post(
    "/holds",
    {
      config,
      schema: {
        ...{ operationId: "createHold", summary: "Hold something", tags, body: CreateHoldBody },
        description:
          "Forbids that a call, the calls of an agent or the calls of a campaign are erased, by request or for their age, until it is released.",
        response: {
          201: HoldBody.describe("It holds from now on."),
          ...errorAnswers(400, 401, 403, 404, 413, 422, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const body = parseFields(CreateHoldBody, jsonObject(request.body), { missingCode: "member_missing" });
      const subject = heldSubject(body);
      const hold = await createHold(app, actingFor(request.caller), { subject, reason: body.reason });
      return reply.code(201).send(toHoldBody(hold));
    },
  );

  api.get(
    "/holds",
    {
      config,
      schema: {
        ...{ operationId: "listHolds", summary: "List legal holds", tags, querystring: ListHoldsParameters },
        description: "Newest first.",
        response: { 200: HoldPageBody.describe("A page of holds."), ...errorAnswers(401, 403, 422, 500, 503) },
      },
    },
    async (request) => {
      const { workspaceId } = request.caller;
      const raw = request.query as Record<string, unknown>;
      const query = parseFields(ListHoldsQuery, raw, { missingCode: "member_missing" });
      const page = await inWorkspace(app, workspaceId, (tx) => listHolds(tx, workspaceId, query));
      return { holds: page.holds.map(toHoldBody), next: page.next };
    },
  );

  api.delete(
    "/holds/:id",
    {
      config,
      schema: {
        ...{ operationId: "releaseHold", summary: "Release a legal hold", tags, params },
        description: "What it held can be erased again. The hold stays in the list, as history.",
        response: { 204: z.null().describe("It is released."), ...errorAnswers(401, 403, "hold_not_found", 500, 503) },
      },
    },
    async (request, reply) => {
      await releaseHold(app, actingFor(request.caller), request.params.id);
      return reply.code(204).send(null);
    },
  );
}
