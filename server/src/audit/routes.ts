import { AuditPageBody, ExportAuditQuery, ListAuditQuery } from "@hearback/contract";
import { actorOf } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { exportFiles, sendExport } from "../platform/http/body/send-export.ts";
import { route } from "../platform/http/route.ts";
import type { Api } from "../platform/http/server.ts";
import { toAuditEntryBody } from "./entry-body.ts";
import { exportEntries } from "./export-entries.ts";
import { listEntries } from "./list-entries.ts";

export function auditRoutes(api: Api, app: App): void {
  route(api, {
    method: "GET",
    path: "/audit",
    id: "listAuditEntries",
    tag: "Audit",
    summary: "List audit log entries",
    description:
      "Lists the audit log of the workspace, newest first. With `after`, lists entries after that number, oldest first, so that you can follow the log. With filters, a page can be short or empty and still have a `next`. docs/audit.md describes each action and how to verify the log.",
    access: ["manage"],
    query: ListAuditQuery,
    answers: { 200: [AuditPageBody, "A page of entries."] },
  }).handle(async ({ caller: { workspaceId }, query: { after, before, limit, ...filter }, about }) => {
    const range = { after, before, limit, order: after === undefined ? "newest" : "oldest" } as const;
    const page = await inWorkspace(app, workspaceId, (tx) => listEntries(tx, workspaceId, filter, range));
    about.entries = page.entries.length;
    return { entries: page.entries.map(toAuditEntryBody), next: page.next ?? null };
  });

  route(api, {
    method: "GET",
    path: "/audit/export",
    id: "exportAuditEntries",
    tag: "Audit",
    summary: "Export the audit log",
    description:
      "Exports the audit log as a file, oldest first, with the hashed text of each entry, so that the file can be verified without this service (docs/audit.md). The last entry records the export itself. If the export fails midway, the connection is closed without completing the response.",
    access: ["manage"],
    download: true,
    exposeHeadRoute: false,
    query: ExportAuditQuery,
    answers: { 200: { description: "The exported entries.", files: exportFiles } },
  }).handle(async ({ caller, query: { format, bom, separator, after, ...filter } }, reply) => {
    const by = { workspaceId: caller.workspaceId, actor: actorOf(caller) };
    const chunks = await exportEntries(app, by, { filter, after, format, bom, separator });
    return sendExport(reply, { name: "audit", format }, chunks);
  });
}
