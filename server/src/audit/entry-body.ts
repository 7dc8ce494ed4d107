import type { AuditEntryBody } from "@hearback/contract";
import { formatMicros, type StoredEntry } from "./entry-hash.ts";

export const toAuditEntryBody = (entry: StoredEntry): AuditEntryBody => ({
  number: entry.number,
  at: formatMicros(entry.atMicros),
  actor: { type: entry.actorType as AuditEntryBody["actor"]["type"], id: entry.actorId },
  action: entry.action,
  subject: { type: entry.subjectType, id: entry.subjectId },
  data: JSON.parse(entry.data) as AuditEntryBody["data"],
  hash: entry.hash.toString("hex"),
});
