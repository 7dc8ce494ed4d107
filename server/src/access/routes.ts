import {
  ChangeKeyBody,
  ChangeKeyFields,
  CreateKeyBody,
  CreateKeyFields,
  KeyBody,
  KeyPageBody,
  ListKeysParameters,
  ListKeysQuery,
  NewKeyBody,
  RotateKeyBody,
  RotateKeyFields,
} from "@hearback/contract";
import { z } from "zod";
import { actingFor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { errorAnswers, problemAnswer } from "../platform/http/error-answers.ts";
import { jsonObject, parseFields } from "../platform/http/parse.ts";
import type { Api } from "../platform/http/server.ts";
import { changeApiKey } from "./change-api-key.ts";
import { createApiKey } from "./create-api-key.ts";
import { findApiKey } from "./find-api-key.ts";
import { toKeyBody } from "./key-body.ts";
import { listApiKeys } from "./list-api-keys.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { rotateApiKey } from "./rotate-api-key.ts";

const config = { access: ["manage"] } as const;
const tags = ["Keys"];
const params = z.object({ id: z.uuid().meta({ description: "The key's id; not the key itself." }) });
const noKey = { 404: problemAnswer("There is no such key in this workspace.", "key_not_found") };
const ended = { 409: problemAnswer("The key is revoked, has expired, or was replaced.", "key_ended") };
const members = { missingCode: "member_missing" } as const;

export function keyRoutes(api: Api, app: App): void {
  listRoutes(api, app);
  createRoute(api, app);
  changeRoutes(api, app);
  rotateRoute(api, app);
}

function listRoutes(api: Api, app: App): void {
  api.get(
    "/keys",
    {
      config,
      schema: {
        operationId: "listKeys",
        summary: "List the keys",
        description:
          "The keys of the workspace, newest first, also those that have ended; never the keys themselves, which nobody can read back.",
        tags,
        querystring: ListKeysParameters,
        response: { 200: KeyPageBody.describe("A page of keys."), ...errorAnswers(401, 403, 422, 500, 503) },
      },
    },
    async (request) => {
      const { workspaceId } = request.caller;
      const query = parseFields(ListKeysQuery, request.query as Record<string, unknown>, members);
      const page = await inWorkspace(app, workspaceId, (tx) => listApiKeys(tx, workspaceId, query));
      return { keys: page.keys.map(toKeyBody), next: page.next };
    },
  );

  api.get(
    "/keys/:id",
    {
      config,
      schema: {
        operationId: "findKey",
        summary: "Look at a key",
        description: "One key, without the key itself, with when it was last used and whether it has ended.",
        tags,
        params,
        response: { 200: KeyBody.describe("The key."), ...errorAnswers(401, 403, 500, 503), ...noKey },
      },
    },
    async ({ caller: { workspaceId }, params: { id } }) =>
      toKeyBody(await inWorkspace(app, workspaceId, (tx) => findApiKey(tx, workspaceId, id))),
  );
}

function createRoute(api: Api, app: App): void {
  api.post(
    "/keys",
    {
      config,
      schema: {
        operationId: "createKey",
        summary: "Make a key",
        description:
          "The answer holds the key; it is shown this once, and only its hash is kept. A key that is restricted to campaigns sees and touches what belongs to them, and cannot manage keys, webhooks, other users or the workspace.",
        tags,
        body: CreateKeyBody,
        response: {
          201: NewKeyBody.describe("The key has been made."),
          ...errorAnswers(400, 401, 403, 413, 422, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const body = parseFields(CreateKeyFields, jsonObject(request.body), members);
      const by = actingFor(request.caller);
      const made = await createApiKey(app, by, {
        name: body.name,
        scopes: body.scopes,
        campaignIds: body.campaign_ids,
        expiresAt: body.expires_at,
      });
      request.about = { workspaceId: by.workspaceId, keyId: made.id };
      return reply.code(201).send({ ...toKeyBody(made), key: made.key });
    },
  );
}

function changeRoutes(api: Api, app: App): void {
  api.patch(
    "/keys/:id",
    {
      config,
      schema: {
        operationId: "changeKey",
        summary: "Rename a key, or say when it ends",
        description:
          "Changes what is given and nothing else. Scopes and campaigns never change: make a new key. A key that has ended stays so.",
        tags,
        params,
        body: ChangeKeyBody,
        response: {
          200: KeyBody.describe("The key as it is now."),
          ...errorAnswers(400, 401, 403, 413, 422, 500, 503),
          ...noKey,
          ...ended,
        },
      },
    },
    async (request) => {
      const body = parseFields(ChangeKeyFields, jsonObject(request.body), members);
      const by = actingFor(request.caller);
      const change = { name: body.name, expiresAt: body.expires_at };
      const key = await changeApiKey(app, by, request.params.id, change);
      request.about = { workspaceId: by.workspaceId, keyId: key.id };
      return toKeyBody(key);
    },
  );

  api.delete(
    "/keys/:id",
    {
      config,
      schema: {
        operationId: "revokeKey",
        summary: "Revoke a key",
        description:
          "Ends the key, on every process within a second, and for good. Revoking it again changes nothing. The last key that can manage the workspace cannot be revoked by a key, so that nobody locks themselves out.",
        tags,
        params,
        response: {
          204: z.null().describe("It has ended."),
          ...errorAnswers(401, 403, 500, 503),
          ...noKey,
          409: problemAnswer("It is the last key that can manage the workspace.", "last_manage_key"),
        },
      },
    },
    async (request, reply) => {
      const by = actingFor(request.caller);
      const { id } = await revokeApiKey(app, by, request.params.id, { keepLast: request.caller.kind === "key" });
      request.about = { workspaceId: by.workspaceId, keyId: id };
      return reply.code(204).send(null);
    },
  );
}

function rotateRoute(api: Api, app: App): void {
  api.post(
    "/keys/:id/rotate",
    {
      config,
      schema: {
        operationId: "rotateKey",
        summary: "Replace a key by a new one",
        description:
          "The answer holds a new key with the same name, scopes and campaigns; it is shown this once. The old one goes on working for `overlap_hours` (24 if not given), so that nothing needs to change at the same moment.",
        tags,
        params,
        body: RotateKeyBody.optional(),
        response: {
          201: NewKeyBody.describe("The new key."),
          ...errorAnswers(400, 401, 403, 413, 422, 500, 503),
          ...noKey,
          ...ended,
        },
      },
    },
    async (request, reply) => {
      const body = parseFields(RotateKeyFields, jsonObject(request.body ?? {}), members);
      const by = actingFor(request.caller);
      const rotation = { overlapHours: body.overlap_hours, expiresAt: body.expires_at };
      const made = await rotateApiKey(app, by, request.params.id, rotation);
      request.about = { workspaceId: by.workspaceId, keyId: made.id };
      return reply.code(201).send({ ...toKeyBody(made), key: made.key });
    },
  );
}
