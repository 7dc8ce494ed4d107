import {
  CertificateBody,
  ErasureBody,
  ErasurePageBody,
  ErasurePreviewBody,
  ErasureSubject,
  ListErasuresQuery,
} from "@hearback/contract";
import { callNotFound } from "../calls/errors.ts";
import { actingFor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { route } from "../platform/http/route.ts";
import type { Api } from "../platform/http/server.ts";
import { agentNotFound, lastAdmin } from "../users/errors.ts";
import { eraseCall } from "./erase-call.ts";
import { findErasure, toCertificateBody, toErasureBody } from "./erasure.ts";
import { erasureNotFound, erasureRunning, onHold } from "./errors.ts";
import { listErasures } from "./list-erasures.ts";
import { previewErasure } from "./preview-erasure.ts";
import { requestErasure, toErasureScope } from "./request-erasure.ts";
import { recordedDigest } from "./verify-certificates.ts";

const managed = { tag: "Privacy", access: ["manage"] } as const;
/** Time limit of a preview. After it, the response contains the counts so far. */
const previewMs = 8_000;

export function erasureRoutes(api: Api, app: App): void {
  eraseRoutes(api, app);
  readRoutes(api, app);
}

function eraseRoutes(api: Api, app: App): void {
  route(api, {
    ...managed,
    method: "DELETE",
    path: "/calls/:id",
    id: "eraseCall",
    summary: "Erase a call",
    description:
      "Permanently erases the call and its recording. A later import of the same call returns the status `erased` and stores nothing.",
    campaignKeys: true,
    answers: { 204: "The call is erased." },
    errors: [callNotFound, onHold],
  }).handle(async ({ caller, params: { id }, about }) => {
    about.callId = id.slice(0, 36);
    await eraseCall(app, caller, id);
  });

  route(api, {
    ...managed,
    method: "POST",
    path: "/erasures/preview",
    id: "previewErasure",
    summary: "Preview an erasure",
    description:
      "Counts what an erasure would erase now, without changing anything. Counting stops after 8 seconds; `complete` is then false and the counts are lower bounds.",
    body: ErasureSubject,
    answers: { 200: [ErasurePreviewBody, "The counts."] },
    errors: [callNotFound, agentNotFound],
  }).handle(async ({ caller: { workspaceId }, body }) => {
    const scope = await inWorkspace(app, workspaceId, (tx) => toErasureScope(tx, workspaceId, body));
    return previewErasure(app, scope, { deadline: Date.now() + previewMs });
  });

  route(api, {
    ...managed,
    method: "POST",
    path: "/erasures",
    id: "requestErasure",
    summary: "Request an erasure",
    description:
      "Erases all calls of the subject, with their recordings, in the background. Calls under a legal hold are kept and counted. If the subject is an agent, the agent is erased too, unless calls of theirs are kept. Poll GET /erasures/{id} for progress.",
    body: ErasureSubject,
    answers: { 202: [ErasureBody, "The erasure is queued."] },
    errors: [callNotFound, agentNotFound, lastAdmin],
  }).handle(async ({ caller, body, about }) => {
    const erasure = await requestErasure(app, actingFor(caller), body);
    about.erasureId = erasure.id;
    return toErasureBody(erasure);
  });
}

function readRoutes(api: Api, app: App): void {
  route(api, {
    ...managed,
    method: "GET",
    path: "/erasures",
    id: "listErasures",
    summary: "List erasures",
    description: "Returns erasures, newest first: those requested, and those that a campaign's retention started.",
    query: ListErasuresQuery,
    answers: { 200: [ErasurePageBody, "A page of erasures."] },
  }).handle(async ({ caller: { workspaceId }, query }) => {
    const page = await inWorkspace(app, workspaceId, (tx) => listErasures(tx, workspaceId, query));
    return { erasures: page.erasures.map(toErasureBody), next: page.next };
  });

  route(api, {
    ...managed,
    method: "GET",
    path: "/erasures/:id",
    id: "getErasure",
    summary: "Get an erasure",
    description:
      "Returns the state of an erasure and how many calls it found, erased and kept because of a legal hold.",
    answers: { 200: [ErasureBody, "The erasure."] },
    errors: [erasureNotFound],
  }).handle(async ({ caller: { workspaceId }, params: { id } }) =>
    toErasureBody(await inWorkspace(app, workspaceId, (tx) => findErasure(tx, workspaceId, id))),
  );

  route(api, {
    ...managed,
    method: "GET",
    path: "/erasures/:id/certificate",
    id: "getErasureCertificate",
    summary: "Get the certificate of an erasure",
    description:
      "Returns proof of an erasure: what was erased, when and by whom, as counts and ids, with a reference to the audit log. It contains no erased data.",
    answers: { 200: [CertificateBody, "The certificate."] },
    errors: [erasureNotFound, erasureRunning],
  }).handle(async ({ caller: { workspaceId }, params: { id } }) =>
    inWorkspace(app, workspaceId, async (tx) => {
      const erasure = await findErasure(tx, workspaceId, id);
      return toCertificateBody(erasure, await recordedDigest(tx, erasure));
    }),
  );
}
