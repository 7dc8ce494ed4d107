import {
  ChangeKeyBody,
  CreateKeyBody,
  KeyBody,
  KeyPageBody,
  ListKeysQuery,
  NewKeyBody,
  RotateKeyBody,
} from "@hearback/contract";
import { actingFor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { route } from "../../platform/http/route.ts";
import type { Api } from "../../platform/http/server.ts";
import { keyEnded, keyExceedsCaller, keyNotFound, lastManageKey } from "../errors.ts";
import { changeApiKey } from "./change-api-key.ts";
import { createApiKey } from "./create-api-key.ts";
import { findApiKey } from "./find-api-key.ts";
import { toKeyBody } from "./key-body.ts";
import { listApiKeys } from "./list-api-keys.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { rotateApiKey } from "./rotate-api-key.ts";

const managed = { tag: "Keys", access: ["manage"] } as const;

export function keyRoutes(api: Api, app: App): void {
  readRoutes(api, app);
  createRoutes(api, app);
  changeRoutes(api, app);
}

function readRoutes(api: Api, app: App): void {
  route(api, {
    ...managed,
    method: "GET",
    path: "/keys",
    id: "listKeys",
    summary: "List API keys",
    description:
      "Lists all API keys of the workspace, newest first, including revoked and expired ones. Secrets are not stored and cannot be retrieved.",
    query: ListKeysQuery,
    answers: { 200: [KeyPageBody, "A page of keys."] },
  }).handle(async ({ caller: { workspaceId }, query }) => {
    const page = await inWorkspace(app, workspaceId, (tx) => listApiKeys(tx, workspaceId, query));
    return { keys: page.keys.map(toKeyBody), next: page.next };
  });

  route(api, {
    ...managed,
    method: "GET",
    path: "/keys/:id",
    id: "getKey",
    summary: "Get an API key",
    description: "Returns the key without its secret, with its last use, expiry and revocation.",
    answers: { 200: [KeyBody, "The key."] },
    errors: [keyNotFound],
  }).handle(async ({ caller: { workspaceId }, params: { id } }) =>
    toKeyBody(await inWorkspace(app, workspaceId, (tx) => findApiKey(tx, workspaceId, id))),
  );
}

function createRoutes(api: Api, app: App): void {
  route(api, {
    ...managed,
    method: "POST",
    path: "/keys",
    id: "createKey",
    summary: "Create an API key",
    description:
      "The response contains the key's secret. Save it now: only a hash is stored. A key restricted to campaigns can access only their data, and cannot manage keys, webhooks, other users or the workspace. A key created with another key cannot have scopes that key lacks, and inherits its limits.",
    body: CreateKeyBody,
    answers: { 201: [NewKeyBody, "Key created."] },
    errors: [keyExceedsCaller],
  }).handle(async ({ caller, body: { name, scopes, campaign_ids: campaignIds, expires_at: expiresAt }, about }) => {
    const created = await createApiKey(app, actingFor(caller), { name, scopes, campaignIds, expiresAt, caller });
    about.keyId = created.id;
    return { ...toKeyBody(created), key: created.key };
  });

  route(api, {
    ...managed,
    method: "POST",
    path: "/keys/:id/rotate",
    id: "rotateKey",
    summary: "Rotate an API key",
    description:
      "Creates a new key with the same name, scopes, campaigns and limits. The response contains its secret; save it now. The old key keeps working for `overlap_hours` (default 24), so that you can deploy the new key without downtime. A key cannot rotate a key with more scopes or higher limits than its own.",
    body: RotateKeyBody.optional(),
    answers: { 201: [NewKeyBody, "The new key."] },
    errors: [keyExceedsCaller, keyNotFound, keyEnded],
  }).handle(async ({ caller, params: { id }, body: { overlap_hours: overlapHours, expires_at: expiresAt }, about }) => {
    const created = await rotateApiKey(app, actingFor(caller), id, { overlapHours, expiresAt, caller });
    about.keyId = created.id;
    return { ...toKeyBody(created), key: created.key };
  });
}

function changeRoutes(api: Api, app: App): void {
  route(api, {
    ...managed,
    method: "PATCH",
    path: "/keys/:id",
    id: "changeKey",
    summary: "Update an API key",
    description:
      "Renames a key or changes its expiry. Omitted fields stay unchanged. Scopes and campaigns cannot be changed; create a new key instead. Revoked and expired keys cannot be reactivated. A key cannot extend a key with more scopes or higher limits than its own.",
    body: ChangeKeyBody,
    answers: { 200: [KeyBody, "The updated key."] },
    errors: [keyExceedsCaller, keyNotFound, keyEnded, lastManageKey],
  }).handle(async ({ caller, params: { id }, body: { name, expires_at: expiresAt }, about }) => {
    const key = await changeApiKey(app, actingFor(caller), id, { name, expiresAt, caller });
    about.keyId = key.id;
    return toKeyBody(key);
  });

  route(api, {
    ...managed,
    method: "DELETE",
    path: "/keys/:id",
    id: "revokeKey",
    summary: "Revoke an API key",
    description:
      "Permanently revokes the key within a second on every process. Idempotent. A key cannot revoke the last key that can manage the workspace, to prevent a lockout.",
    answers: { 204: "Key revoked." },
    errors: [keyNotFound, lastManageKey],
  }).handle(async ({ caller, params, about }) => {
    const { id } = await revokeApiKey(app, actingFor(caller), params.id, { keepLast: caller.kind === "key" });
    about.keyId = id;
  });
}
