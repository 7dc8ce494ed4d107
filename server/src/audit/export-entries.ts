import type { Actor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { type ExportOptions, type Sheet, writeRows } from "../platform/export/write-rows.ts";
import { auditText, type StoredEntry } from "./audit-text.ts";
import { toAuditEntryBody } from "./entry-body.ts";
import { type AuditFilter, listEntries } from "./list-entries.ts";
import { record } from "./record.ts";

const columns = ["number", "at", "actor_type", "actor_id", "action", "subject_type", "subject_id", "data", "hash"];

/** With the text that each hash covers, so that anybody can prove the chain. */
const sheet: Sheet<StoredEntry> = {
  columns: [...columns, "text"],
  toCells(entry) {
    const { number, at, actor, action, subject, hash } = toAuditEntryBody(entry);
    const who = [actor.type, actor.id];
    return [number, at, ...who, action, subject.type, subject.id, entry.data, hash, auditText(entry)];
  },
  toBody: (entry) => ({ ...toAuditEntryBody(entry), text: auditText(entry) }),
};

export interface ExportEntriesInput extends ExportOptions {
  readonly filter: AuditFilter;
  readonly after: number | undefined;
}

/** The audit log as a file, oldest first. Its last entry is the one about this export. */
export async function exportEntries(
  app: App,
  { workspaceId, actor }: { workspaceId: string; actor: Actor },
  { filter, after = 0, ...options }: ExportEntriesInput,
): Promise<AsyncGenerator<string>> {
  const given = { ...filter, ...(after > 0 && { after }) };
  const own = await inWorkspace(app, workspaceId, (tx) =>
    record(tx, workspaceId, {
      actor,
      action: "audit.exported",
      subject: { type: "workspace", id: workspaceId },
      data: { format: options.format, filters: namesOf(given) },
    }),
  );
  return writeRows<StoredEntry, number>(sheet, options, async (last = after, limit) => {
    const place = { after: last, before: own.number + 1, order: "oldest", limit } as const;
    const { entries, next } = await inWorkspace(app, workspaceId, (tx) => listEntries(tx, workspaceId, filter, place));
    return { rows: entries, next };
  });
}

/** Which filters were given: their names, never what was asked for. */
const namesOf = (filter: object): string[] =>
  Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [name]));
