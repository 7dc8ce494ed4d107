import {
  CertificateBody,
  ErasureBody,
  ErasurePageBody,
  ErasurePreviewBody,
  ErasureSubject,
  ListErasuresParameters,
  ListErasuresQuery,
} from "@hearback/contract";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { actingFor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { errorAnswers, problemAnswer } from "../platform/http/error-answers.ts";
import { jsonObject, parseFields } from "../platform/http/parse.ts";
import type { Api } from "../platform/http/server.ts";
import { eraseCall } from "./erase-call.ts";
import { findErasure, toCertificateBody, toErasureBody } from "./erasure.ts";
import { listErasures } from "./list-erasures.ts";
import { previewErasure } from "./preview-erasure.ts";
import { concernOf, requestErasure } from "./request-erasure.ts";

const config = { access: ["manage"] } as const;
const tags = ["Privacy"];
const params = z.object({ id: z.uuid() });
const bodyErrors = errorAnswers(400, 401, 403, 404, 413, 422, 500, 503);

const subjectOf = (request: FastifyRequest) =>
  parseFields(ErasureSubject, jsonObject(request.body), { missingCode: "member_missing" });

export function erasureRoutes(api: Api, app: App): void {
  eraseRoute(api, app);
  requestRoutes(api, app);
  readRoutes(api, app);
}

function eraseRoute(api: Api, app: App): void {
  api.delete(
    "/calls/:id",
    {
      config: { ...config, campaignKeys: true },
      schema: {
        ...{ operationId: "eraseCall", summary: "Erase a call", tags, params },
        description:
          "Erases the call and its recording, now and for good: a later import of it is answered with the status `erased` and stores nothing.",
        response: {
          204: z.null().describe("It is gone."),
          ...errorAnswers(401, 403, "call_not_found", "on_hold", 500, 503),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      request.about = { workspaceId: request.caller.workspaceId, callId: id.slice(0, 36) };
      await eraseCall(app, request.caller, id);
      return reply.code(204).send(null);
    },
  );
}

function requestRoutes(api: Api, app: App): void {
  api.post(
    "/erasures/preview",
    {
      config,
      schema: {
        ...{ operationId: "previewErasure", summary: "See what an erasure would do", tags, body: ErasureSubject },
        description: "Counts what an erasure would find now. Nothing is written.",
        response: { 200: ErasurePreviewBody.describe("What it would find now."), ...bodyErrors },
      },
    },
    async (request) => {
      const { workspaceId } = request.caller;
      const subject = subjectOf(request);
      return inWorkspace(app, workspaceId, async (tx) => previewErasure(tx, await concernOf(tx, workspaceId, subject)));
    },
  );

  api.post(
    "/erasures",
    {
      config,
      schema: {
        ...{ operationId: "requestErasure", summary: "Erase calls, or an agent with all calls", tags },
        description:
          "Has all calls erased that belong to the subject, with their recordings; what is under a legal hold stays and is counted. An agent is erased too, unless calls of theirs stay. Follow it with GET /erasures/{id}.",
        body: ErasureSubject,
        response: {
          202: ErasureBody.describe("It will be done."),
          ...bodyErrors,
          409: problemAnswer("It is the last administrator who can sign in.", "last_admin"),
        },
      },
    },
    async (request, reply) => {
      const erasure = await requestErasure(app, actingFor(request.caller), subjectOf(request));
      request.about = { workspaceId: request.caller.workspaceId, erasureId: erasure.id };
      return reply.code(202).send(toErasureBody(erasure));
    },
  );
}

function readRoutes(api: Api, app: App): void {
  const findIt = ({ caller: { workspaceId } }: FastifyRequest, id: string) =>
    inWorkspace(app, workspaceId, (tx) => findErasure(tx, workspaceId, id));

  api.get(
    "/erasures",
    {
      config,
      schema: {
        ...{ operationId: "listErasures", summary: "List erasures", tags, querystring: ListErasuresParameters },
        description: "Newest first: those that were asked for, and those that a campaign's retention made.",
        response: { 200: ErasurePageBody.describe("A page of erasures."), ...errorAnswers(401, 403, 422, 500, 503) },
      },
    },
    async (request) => {
      const { workspaceId } = request.caller;
      const raw = request.query as Record<string, unknown>;
      const query = parseFields(ListErasuresQuery, raw, { missingCode: "member_missing" });
      const page = await inWorkspace(app, workspaceId, (tx) => listErasures(tx, workspaceId, query));
      return { erasures: page.erasures.map(toErasureBody), next: page.next };
    },
  );

  api.get(
    "/erasures/:id",
    {
      config,
      schema: {
        ...{ operationId: "getErasure", summary: "See how far an erasure is", tags, params },
        description: "Its state, and how many calls it has found, erased and left because they are held.",
        response: {
          200: ErasureBody.describe("The erasure as it is now."),
          ...errorAnswers(401, 403, "erasure_not_found", 500, 503),
        },
      },
    },
    async (request) => toErasureBody(await findIt(request, request.params.id)),
  );

  api.get(
    "/erasures/:id/certificate",
    {
      config,
      schema: {
        ...{ operationId: "getErasureCertificate", summary: "The proof of an erasure", tags, params },
        description:
          "Says what was erased, when and by whom, in numbers and ids, with its place in the audit log. It holds nothing of what was erased.",
        response: {
          200: CertificateBody.describe("The certificate."),
          ...errorAnswers(401, 403, "erasure_not_found", "erasure_running", 500, 503),
        },
      },
    },
    async (request) => toCertificateBody(await findIt(request, request.params.id)),
  );
}
