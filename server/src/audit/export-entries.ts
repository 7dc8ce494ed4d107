import type { Actor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { type ExportOptions, type Sheet, writeRows } from "../platform/export/write-rows.ts";
import { toAuditEntryBody } from "./entry-body.ts";
import { auditText, type StoredEntry } from "./entry-hash.ts";
import { type AuditFilter, listEntries } from "./list-entries.ts";
import { recordAuditEntry } from "./record-audit-entry.ts";

const columns = ["number", "at", "actor_type", "actor_id", "action", "subject_type", "subject_id", "data", "hash"];

/** Includes the hashed text of each entry, so that the chain can be verified independently. */
const sheet: Sheet<StoredEntry> = {
  columns: [...columns, "text"],
  toCells(entry) {
    const { number, at, actor, action, subject, hash } = toAuditEntryBody(entry);
    return [number, at, actor.type, actor.id, action, subject.type, subject.id, entry.data, hash, auditText(entry)];
  },
  toBody: (entry) => ({ ...toAuditEntryBody(entry), text: auditText(entry) }),
};

export interface ExportEntriesInput extends ExportOptions {
  readonly filter: AuditFilter;
  readonly after: number | undefined;
}

/** Exports the audit log, oldest first. The last entry records the export itself. */
export async function exportEntries(
  app: App,
  { workspaceId, actor }: { workspaceId: string; actor: Actor },
  { filter, after = 0, ...options }: ExportEntriesInput,
): Promise<AsyncGenerator<string>> {
  const filters = { ...filter, ...(after > 0 && { after }) };
  const exportEntry = await inWorkspace(app, workspaceId, (tx) =>
    recordAuditEntry(tx, workspaceId, {
      actor,
      action: "audit.exported",
      subject: { type: "workspace", id: workspaceId },
      data: { format: options.format, filters: namesOf(filters) },
    }),
  );
  return writeRows<StoredEntry, number>(sheet, options, async (last = after, limit) => {
    const range = { after: last, before: exportEntry.number + 1, order: "oldest", limit } as const;
    const { entries, next } = await inWorkspace(app, workspaceId, (tx) => listEntries(tx, workspaceId, filter, range));
    return { rows: entries, next };
  });
}

/** Names of the filters used, without their values. */
const namesOf = (filter: object): string[] =>
  Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [name]));
