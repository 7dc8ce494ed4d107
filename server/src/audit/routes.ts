import {
  AuditPageBody,
  type ExportAuditQuery as ExportAudit,
  ExportAuditParameters,
  ExportAuditQuery,
  type ListAuditQuery as ListAudit,
  ListAuditParameters,
  ListAuditQuery,
} from "@hearback/contract";
import { z } from "zod";
import { actorOf } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { errorAnswers } from "../platform/http/error-answers.ts";
import { parseFields } from "../platform/http/parse.ts";
import { sendExport } from "../platform/http/send-export.ts";
import type { Api } from "../platform/http/server.ts";
import { toAuditEntryBody } from "./entry-body.ts";
import { exportEntries } from "./export-entries.ts";
import { type AuditFilter, listEntries } from "./list-entries.ts";

const tags = ["Audit"];
const missingCode = "member_missing";

const toFilter = ({ action, subject, actor, from, to }: ListAudit | ExportAudit): AuditFilter => ({
  action,
  subject,
  actor,
  from,
  to,
});

export function auditRoutes(api: Api, app: App): void {
  api.get(
    "/audit",
    {
      config: { access: ["manage"] },
      schema: {
        ...{ operationId: "listAuditEntries", summary: "Who heard, changed or took away what", tags },
        description:
          "The audit log of the workspace, newest first; with `after`, oldest first from there, to follow it. A page may be short and still have a `next`: the filters were looked for among many entries. docs/audit.md explains each action, and how to prove that nothing was changed.",
        querystring: ListAuditParameters,
        response: { 200: AuditPageBody.describe("A page of the log."), ...errorAnswers(401, 403, 422, 500, 503) },
      },
    },
    async (request) => {
      const { workspaceId } = request.caller;
      const query = parseFields(ListAuditQuery, request.query as Record<string, unknown>, { missingCode });
      const { after, before, limit } = query;
      const place = { after, before, limit, order: after === undefined ? "newest" : "oldest" } as const;
      const page = await inWorkspace(app, workspaceId, (tx) => listEntries(tx, workspaceId, toFilter(query), place));
      request.about = { workspaceId, entries: page.entries.length };
      return { entries: page.entries.map(toAuditEntryBody), next: page.next ?? null };
    },
  );

  api.get(
    "/audit/export",
    {
      exposeHeadRoute: false,
      config: { access: ["manage"] },
      schema: {
        ...{ operationId: "exportAuditEntries", summary: "The audit log as a file", tags },
        description:
          "Oldest first, with the text that each hash covers: whoever has the file can prove the chain without this service (docs/audit.md). The last entry is the one about this export. If it ends early, the connection is cut.",
        querystring: ExportAuditParameters,
        response: {
          200: { description: "The log.", content: exportContent },
          ...errorAnswers(400, 401, 403, 422, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const { caller } = request;
      const { workspaceId } = caller;
      const query = parseFields(ExportAuditQuery, request.query as Record<string, unknown>, { missingCode });
      const { format, bom, separator, after } = query;
      request.about = { workspaceId };
      const who = { workspaceId, actor: actorOf(caller) };
      const chunks = await exportEntries(app, who, { filter: toFilter(query), after, format, bom, separator });
      return sendExport(reply, { name: "audit", format }, chunks);
    },
  );
}

const exportContent = {
  "text/csv": { schema: z.string() },
  "application/x-ndjson": { schema: z.string() },
};
